//! Functions whose effects a program cannot see, and whose results it cannot foretell.
//!
//! They write to files or ask the system for something. The result is an
//! arbitrary number between two bounds; the bounds are those of the function's description.

const INT: i64 = i32::MAX as i64;
const ANY: i64 = i32::MIN as i64;

/// The lowest and the highest result, and the functions.
pub(super) const RESULTS: &[(i64, i64, &str)] = &[
    // Nothing, or anything that fits.
    (
        ANY,
        INT,
        "closelog openlog syslog vsyslog perror srand srandom srand48 \
         flockfile funlockfile setlinebuf sync tzset fwide warn warnx vwarn vwarnx \
         psignal feof feof_unlocked ferror ferror_unlocked remove rename system mallopt umask nice \
         pthread_testcancel mrand48 getpriority mtx_destroy cnd_destroy thrd_yield endpwent \
         setpwent endgrent setgrent herror seekdir rewinddir pthread_spin_lock gethostid",
    ),
    // Zero, or -1 with a reason.
    (
        -1,
        0,
        "access chdir chmod chown chroot close fchdir fchmod fchown fdatasync fsync ftruncate \
         kill killpg lchown link lockf mkdir mkfifo mknod rmdir symlink truncate unlink unlinkat \
         usleep fflush fflush_unlocked setenv unsetenv clearenv setuid setgid seteuid \
         setegid setpgid setreuid setregid mlock munlock mlockall munlockall madvise msync listen \
         shutdown sched_yield tcdrain tcflush mkdirat linkat faccessat setpriority",
    ),
    // A number, or -1.
    (
        -1,
        INT,
        "puts fputs fputs_unlocked fileno fileno_unlocked open open64 openat creat dup dup2 socket \
         setlogmask getpgid getsid setsid tcgetpgrp",
    ),
    (-1, i64::MAX, "clock ftell ftello lseek lseek64 pathconf fpathconf sysconf telldir"),
    (0, INT, "rand random lrand48 geteuid getuid getegid getgid sleep alarm ualarm"),
    (0, 1, "isatty ftrylockfile"),
    (1, INT, "getpid getppid getpgrp getpagesize"),
    // Locks of programs with one thread: success, or the number of a mistake.
    (
        0,
        INT,
        "pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize \
         pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal \
         pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock \
         pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_init \
         pthread_mutexattr_settype pthread_rwlock_destroy pthread_rwlock_init \
         pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock \
         pthread_rwlock_unlock pthread_rwlock_wrlock pthread_spin_destroy pthread_spin_init \
         pthread_spin_trylock pthread_spin_unlock mtx_init mtx_lock mtx_trylock mtx_unlock \
         cnd_init cnd_signal cnd_broadcast",
    ),
    (-1, 0, "sem_close sem_destroy sem_init sem_post sem_trywait sem_wait sem_unlink"),
    (0, u32::MAX as i64, "arc4random"),
];

/// The names with their bounds.
pub(super) fn all() -> impl Iterator<Item = (&'static str, (i64, i64))> {
    RESULTS.iter().flat_map(|&(low, high, names)| {
        names.split_whitespace().map(move |name| (name, (low, high)))
    })
}
