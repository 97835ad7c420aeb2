//! The names of the functions that a hosted implementation has: the C standard library, POSIX, and
//! what glibc's headers turn their names into.
//!
//! What a program calls under one of these names means the function of the library. If it is not
//! modelled, it is refused where it can be reached; a function under any other name is one that
//! nobody knows.

use super::extensions::EXTENSIONS;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Headers and their functions. A name that ends in `*` stands for the versions for `float` and
/// `long double` as well.
const HEADERS: &[(&str, &str)] = &[
    (
        "aio.h",
        "aio_cancel aio_error aio_fsync aio_read aio_return aio_suspend aio_write lio_listio",
    ),
    ("arpa/inet.h", "htonl htons inet_addr inet_aton inet_ntoa inet_ntop inet_pton ntohl ntohs"),
    ("assert.h", "__assert __assert_fail __assert_perror_fail __assert_rtn assert"),
    (
        "complex.h",
        "cabs* cacos* cacosh* carg* casin* casinh* catan* catanh* ccos* ccosh* cexp* cimag* clog* \
         conj* cpow* cproj* creal* csin* csinh* csqrt* ctan* ctanh*",
    ),
    (
        "ctype.h",
        "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc _tolower _toupper isalnum isalpha \
         isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit \
         toascii tolower toupper",
    ),
    (
        "dirent.h",
        "alphasort closedir dirfd fdopendir opendir readdir readdir_r rewinddir scandir seekdir \
         telldir",
    ),
    ("dlfcn.h", "dladdr dlclose dlerror dlopen dlsym"),
    ("err.h", "err errx verr verrx vwarn vwarnx warn warnx"),
    ("errno.h", "__errno_location"),
    ("error.h", "error error_at_line"),
    ("fcntl.h", "creat fcntl open open64 openat posix_fadvise posix_fallocate"),
    (
        "fenv.h",
        "feclearexcept fedisableexcept feenableexcept fegetenv fegetexceptflag fegetround \
         feholdexcept feraiseexcept fesetenv fesetexceptflag fesetround fetestexcept feupdateenv",
    ),
    ("fnmatch.h", "fnmatch"),
    ("ftw.h", "ftw nftw"),
    ("getopt.h", "getopt getopt_long getopt_long_only"),
    ("glob.h", "glob globfree"),
    ("grp.h", "endgrent getgrent getgrgid getgrgid_r getgrnam getgrnam_r setgrent"),
    ("iconv.h", "iconv iconv_close iconv_open"),
    ("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    ("libgen.h", "basename dirname __xpg_basename"),
    ("locale.h", "duplocale freelocale localeconv newlocale setlocale uselocale"),
    ("malloc.h", "cfree mallinfo malloc_usable_size mallopt memalign pvalloc valloc"),
    (
        "math.h",
        "acos* acosh* asin* asinh* atan* atan2* atanh* cbrt* ceil* copysign* cos* cosh* drem* erf* \
         erfc* exp* exp10* exp2* expm1* fabs* fdim* finite* floor* fma* fmax* fmin* fmod* \
         fpclassify frexp* gamma* hypot* ilogb* isfinite isinf* isnan* j0* j1* jn* ldexp* lgamma* \
         lgamma_r llrint* llround* log* log10* log1p* log2* logb* lrint* lround* modf* nan* \
         nearbyint* nextafter* nexttoward* pow* pow10 remainder* remquo* rint* round* roundeven* \
         scalb scalbln* scalbn* signbit significand sin* sincos* sinh* sqrt* tan* tanh* tgamma* \
         trunc* y0* y1* yn*",
    ),
    ("monetary.h", "strfmon"),
    ("mqueue.h", "mq_close mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_unlink"),
    ("net/if.h", "if_freenameindex if_indextoname if_nameindex if_nametoindex"),
    (
        "netdb.h",
        "freeaddrinfo gai_strerror getaddrinfo gethostbyaddr gethostbyname getnameinfo \
         getprotobyname getprotobynumber getservbyname getservbyport h_errno herror hstrerror",
    ),
    ("nl_types.h", "catclose catgets catopen"),
    ("poll.h", "poll ppoll"),
    (
        "pthread.h",
        "pthread_atfork pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getstacksize \
         pthread_attr_init pthread_attr_setdetachstate pthread_attr_setstacksize \
         pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait pthread_cancel \
         pthread_cleanup_pop pthread_cleanup_push pthread_cond_broadcast pthread_cond_destroy \
         pthread_cond_init pthread_cond_signal pthread_cond_timedwait pthread_cond_wait \
         pthread_create pthread_detach pthread_equal pthread_exit pthread_getspecific pthread_join \
         pthread_key_create pthread_key_delete pthread_kill pthread_mutex_destroy \
         pthread_mutex_init pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_trylock \
         pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_init \
         pthread_mutexattr_settype pthread_once pthread_rwlock_destroy pthread_rwlock_init \
         pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock \
         pthread_rwlock_unlock pthread_rwlock_wrlock pthread_self pthread_setcancelstate \
         pthread_setcanceltype pthread_setspecific pthread_sigmask pthread_spin_destroy \
         pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock \
         pthread_testcancel",
    ),
    ("pwd.h", "endpwent getpwent getpwnam getpwnam_r getpwuid getpwuid_r setpwent"),
    ("regex.h", "regcomp regerror regexec regfree"),
    ("sched.h", "sched_getaffinity sched_setaffinity sched_setscheduler sched_yield"),
    (
        "search.h",
        "hcreate hdestroy hsearch insque lfind lsearch remque tdelete tfind tsearch twalk",
    ),
    (
        "semaphore.h",
        "sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait \
         sem_unlink sem_wait",
    ),
    ("setjmp.h", "__sigsetjmp _longjmp _setjmp longjmp setjmp siglongjmp sigsetjmp"),
    (
        "signal.h",
        "__sysv_signal bsd_signal kill killpg psignal raise sigaction sigaddset sigaltstack \
         sigdelset sigemptyset sigfillset siginterrupt sigismember signal sigpause sigpending \
         sigprocmask sigqueue sigsuspend sigtimedwait sigwait sigwaitinfo",
    ),
    ("spawn.h", "posix_spawn posix_spawnp"),
    ("stdarg.h", ""),
    (
        "stdio.h",
        "_IO_getc _IO_putc __isoc99_fscanf __isoc99_scanf __isoc99_sscanf __isoc99_vfscanf \
         __isoc99_vscanf __isoc99_vsscanf asprintf clearerr clearerr_unlocked ctermid dprintf \
         fclose fdopen feof feof_unlocked ferror ferror_unlocked fflush fflush_unlocked fgetc \
         fgetc_unlocked fgetpos fgets fgets_unlocked fileno fileno_unlocked flockfile fmemopen \
         fopen fopen64 fprintf fputc fputc_unlocked fputs fputs_unlocked fread fread_unlocked \
         freopen fscanf fseek fseeko fsetpos ftell ftello ftrylockfile funlockfile fwrite \
         fwrite_unlocked getc getc_unlocked getchar getchar_unlocked getdelim getline gets getw \
         open_memstream pclose perror popen printf putc putc_unlocked putchar putchar_unlocked puts \
         putw remove rename rewind scanf setbuf setbuffer setlinebuf setvbuf snprintf sprintf \
         sscanf tempnam tmpfile tmpnam ungetc vasprintf vdprintf vfprintf vfscanf vprintf vscanf \
         vsnprintf vsprintf vsscanf",
    ),
    (
        "stdlib.h",
        "_Exit a64l abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform \
         at_quick_exit atexit atof atoi atol atoll bsearch calloc clearenv div drand48 ecvt erand48 \
         exit fcvt free gcvt getenv getloadavg getsubopt grantpt initstate jrand48 l64a labs \
         lcong48 ldiv llabs lldiv lrand48 malloc mblen mbstowcs mbtowc mkdtemp mkostemp mkstemp \
         mktemp mrand48 nrand48 on_exit posix_memalign posix_openpt ptsname putenv qsort qsort_r \
         quick_exit rand rand_r random realloc reallocarray realpath secure_getenv seed48 setenv \
         setstate srand srand48 srandom strtod strtof strtol strtold strtoll strtoq strtoul \
         strtoull strtouq system unlockpt unsetenv wcstombs wctomb",
    ),
    (
        "string.h",
        "__xpg_strerror_r memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy memrchr \
         memset rawmemchr stpcpy stpncpy strcasestr strcat strchr strchrnul strcmp strcoll strcpy \
         strcspn strdup strerror strerror_r strfry strlcat strlcpy strlen strncat strncmp strncpy \
         strndup strnlen strpbrk strrchr strsep strsignal strspn strstr strtok strtok_r strverscmp \
         strxfrm",
    ),
    ("strings.h", "bcmp bcopy bzero ffs ffsl ffsll index rindex strcasecmp strncasecmp"),
    ("stropts.h", "isastream"),
    ("sys/ioctl.h", "ioctl"),
    (
        "sys/mman.h",
        "madvise mlock mlockall mmap mprotect msync munlock munlockall munmap shm_open shm_unlink",
    ),
    ("sys/msg.h", "msgctl msgget msgrcv msgsnd"),
    ("sys/resource.h", "getpriority getrlimit getrusage setpriority setrlimit"),
    ("sys/select.h", "pselect select"),
    ("sys/sem.h", "semctl semget semop"),
    ("sys/shm.h", "shmat shmctl shmdt shmget"),
    (
        "sys/socket.h",
        "accept bind connect getpeername getsockname getsockopt listen recv recvfrom recvmsg send \
         sendmsg sendto setsockopt shutdown socket socketpair",
    ),
    (
        "sys/stat.h",
        "chmod fchmod fchmodat fstat fstatat lstat mkdir mkdirat mkfifo mknod stat umask utimensat",
    ),
    ("sys/statvfs.h", "fstatvfs statvfs"),
    ("sys/time.h", "getitimer gettimeofday setitimer settimeofday utimes"),
    ("sys/times.h", "times"),
    ("sys/uio.h", "readv writev"),
    ("sys/utsname.h", "uname"),
    ("sys/wait.h", "wait wait3 wait4 waitid waitpid"),
    ("syslog.h", "closelog openlog setlogmask syslog vsyslog"),
    (
        "termios.h",
        "cfgetispeed cfgetospeed cfsetispeed cfsetospeed tcdrain tcflush tcgetattr tcsetattr",
    ),
    (
        "threads.h",
        "call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait \
         mtx_destroy mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock thrd_create \
         thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield tss_create \
         tss_delete tss_get tss_set",
    ),
    (
        "time.h",
        "asctime asctime_r clock clock_getres clock_gettime clock_nanosleep clock_settime ctime \
         ctime_r difftime getdate gmtime gmtime_r localtime localtime_r mktime nanosleep strftime \
         strptime time timegm timelocal timer_create timer_delete timer_gettime timer_settime \
         timespec_get tzset",
    ),
    ("uchar.h", "c16rtomb c32rtomb mbrtoc16 mbrtoc32"),
    (
        "unistd.h",
        "_exit access alarm brk chdir chown chroot close confstr crypt dup dup2 execl execle execlp \
         execv execve execvp faccessat fchdir fchown fdatasync fork fpathconf fsync ftruncate \
         getcwd getdomainname getegid geteuid getgid getgroups gethostid gethostname getlogin \
         getlogin_r getpagesize getpgid getpgrp getpid getppid getsid getuid getwd isatty lchown \
         link linkat lockf lseek lseek64 nice pathconf pause pipe pread pwrite read readlink \
         readlinkat rmdir sbrk setegid seteuid setgid setpgid setregid setreuid setsid setuid sleep \
         swab symlink sync syscall sysconf tcgetpgrp tcsetpgrp truncate ttyname ttyname_r ualarm \
         unlink unlinkat usleep vfork write",
    ),
    ("utime.h", "utime"),
    ("utmpx.h", "endutxent getutxent setutxent"),
    (
        "wchar.h",
        "btowc fgetwc fgetws fputwc fputws fwide fwprintf fwscanf getwc getwchar mbrlen mbrtowc \
         mbsinit mbsnrtowcs mbsrtowcs open_wmemstream putwc putwchar swprintf swscanf ungetwc \
         vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wcpcpy wcpncpy wcrtomb wcscasecmp \
         wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsdup wcsftime wcslen wcsncasecmp wcsncat \
         wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof \
         wcstok wcstol wcstold wcstoll wcstoul wcstoull wcswidth wcsxfrm wctob wcwidth wmemchr \
         wmemcmp wmemcpy wmemmove wmempcpy wmemset wprintf wscanf",
    ),
    (
        "wctype.h",
        "iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct \
         iswspace iswupper iswxdigit towctrans towlower towupper wctrans wctype",
    ),
    ("wordexp.h", "wordexp wordfree"),
];

/// Every header with each of its functions.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let names = HEADERS.iter().chain(EXTENSIONS);
    names.flat_map(|(header, names)| names.split_whitespace().map(move |name| (*header, name)))
}

/// Whether a hosted implementation has a function of this name.
pub fn is_standard(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<String>> =
        LazyLock::new(|| all().flat_map(|(_, name)| spelt_out(name)).collect());
    NAMES.contains(name)
}

/// The names that an entry of the table stands for.
fn spelt_out(entry: &str) -> Vec<String> {
    match entry.strip_suffix('*') {
        Some(base) => ["", "f", "l"].iter().map(|suffix| format!("{base}{suffix}")).collect(),
        None => vec![entry.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        for name in ["strtok", "cosf", "cosl", "lgamma_r", "wcslen", "thrd_create", "read"] {
            assert!(is_standard(name), "{name}");
        }
        for name in ["", "strtokf", "cos*", "frobnicate", "__VERIFIER_error", "kmalloc"] {
            assert!(!is_standard(name), "{name}");
        }
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut names: Vec<&str> = all().map(|(_, name)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
