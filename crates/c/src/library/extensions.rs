//! Functions of glibc beyond the C standard and POSIX, and of Linux.
//!
//! None of them has a model but those that [`super::model`] lists, so they are refused.

/// Headers and their functions, as in [`super::standard`].
pub(super) const EXTENSIONS: &[(&str, &str)] = &[
    (
        "aio.h",
        "aio_cancel64 aio_error64 aio_fsync64 aio_init aio_read64 aio_return64 aio_suspend64 \
         aio_write64 lio_listio64",
    ),
    ("argp.h", "argp_error argp_failure argp_help argp_parse argp_state_help argp_usage"),
    (
        "argz.h",
        "argz_add argz_add_sep argz_append argz_count argz_create argz_create_sep argz_delete \
         argz_extract argz_insert argz_next argz_replace argz_stringify",
    ),
    (
        "arpa/inet.h",
        "inet_lnaof inet_makeaddr inet_net_ntop inet_net_pton inet_neta inet_netof inet_network \
         inet_nsap_addr inet_nsap_ntoa",
    ),
    (
        "crypt.h",
        "crypt_checksalt crypt_gensalt crypt_gensalt_r crypt_gensalt_ra crypt_gensalt_rn \
         crypt_preferred_method crypt_r crypt_ra crypt_rn",
    ),
    (
        "ctype.h",
        "isalnum_l isalpha_l isblank_l iscntrl_l isctype isdigit_l isgraph_l islower_l isprint_l \
         ispunct_l isspace_l isupper_l isxdigit_l tolower_l toupper_l",
    ),
    (
        "dirent.h",
        "alphasort64 getdents64 getdirentries getdirentries64 readdir64 readdir64_r scandir64 \
         scandirat scandirat64 versionsort versionsort64",
    ),
    ("dlfcn.h", "dladdr1 dlinfo dlmopen dlvsym"),
    ("envz.h", "envz_add envz_entry envz_get envz_merge envz_remove envz_strip"),
    ("execinfo.h", "backtrace backtrace_symbols backtrace_symbols_fd"),
    (
        "fcntl.h",
        "creat64 fallocate fallocate64 fcntl64 name_to_handle_at open_by_handle_at openat64 \
         posix_fadvise64 posix_fallocate64 readahead splice sync_file_range tee vmsplice",
    ),
    ("fenv.h", "fegetexcept fegetmode fesetexcept fesetmode fetestexceptflag"),
    (
        "fts.h",
        "fts64_children fts64_close fts64_open fts64_read fts64_set fts_children fts_close \
         fts_open fts_read fts_set",
    ),
    ("ftw.h", "ftw64 nftw64"),
    ("glob.h", "glob64 glob_pattern_p globfree64"),
    ("grp.h", "fgetgrent fgetgrent_r getgrent_r getgrouplist initgroups putgrent setgroups"),
    ("ifaddrs.h", "freeifaddrs getifaddrs"),
    ("langinfo.h", "nl_langinfo nl_langinfo_l"),
    ("malloc.h", "mallinfo2 malloc_info malloc_stats malloc_trim"),
    (
        "math.h",
        "canonicalize* daddl ddivl dfmal dmull dsqrtl dsubl fadd faddl fdiv fdivl ffma ffmal \
         fmaximum* fmaximum_mag* fmaximum_mag_num* fmaximum_num* fmaxmag* fminimum* fminimum_mag* \
         fminimum_mag_num* fminimum_num* fminmag* fmul fmull fromfp* fromfpx* fsqrt fsqrtl fsub \
         fsubl getpayload* lgammaf_r lgammal_r llogb* nextdown* nextup* setpayload* \
         setpayloadsig* totalorder* totalordermag* ufromfp* ufromfpx*",
    ),
    ("mntent.h", "addmntent endmntent getmntent getmntent_r hasmntopt setmntent"),
    ("mqueue.h", "mq_timedreceive mq_timedsend"),
    (
        "netdb.h",
        "endhostent endnetent endnetgrent endprotoent endservent gai_cancel gai_error gai_suspend \
         getaddrinfo_a gethostbyaddr_r gethostbyname2 gethostbyname2_r gethostbyname_r gethostent \
         gethostent_r getnetbyaddr getnetbyaddr_r getnetbyname getnetbyname_r getnetent \
         getnetent_r getnetgrent getnetgrent_r getprotobyname_r getprotobynumber_r getprotoent \
         getprotoent_r getservbyname_r getservbyport_r getservent getservent_r innetgr iruserok \
         iruserok_af rcmd rcmd_af rexec rexec_af rresvport rresvport_af ruserok ruserok_af \
         sethostent setnetent setnetgrent setprotoent setservent",
    ),
    (
        "netinet/in.h",
        "bindresvport bindresvport6 getipv4sourcefilter getsourcefilter inet6_opt_append \
         inet6_opt_find inet6_opt_finish inet6_opt_get_val inet6_opt_init inet6_opt_next \
         inet6_opt_set_val inet6_option_alloc inet6_option_append inet6_option_find \
         inet6_option_init inet6_option_next inet6_option_space inet6_rth_add inet6_rth_getaddr \
         inet6_rth_init inet6_rth_reverse inet6_rth_segments inet6_rth_space setipv4sourcefilter \
         setsourcefilter",
    ),
    ("obstack.h", "obstack_free"),
    (
        "printf.h",
        "parse_printf_format printf_size printf_size_info register_printf_function \
         register_printf_modifier register_printf_specifier register_printf_type",
    ),
    (
        "pthread.h",
        "pthread_attr_getaffinity_np pthread_attr_getguardsize pthread_attr_getinheritsched \
         pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope \
         pthread_attr_getsigmask_np pthread_attr_getstack pthread_attr_getstackaddr \
         pthread_attr_setaffinity_np pthread_attr_setguardsize pthread_attr_setinheritsched \
         pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope \
         pthread_attr_setsigmask_np pthread_attr_setstack pthread_attr_setstackaddr \
         pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init \
         pthread_barrierattr_setpshared pthread_clockjoin_np pthread_cond_clockwait \
         pthread_condattr_destroy pthread_condattr_getclock pthread_condattr_getpshared \
         pthread_condattr_init pthread_condattr_setclock pthread_condattr_setpshared \
         pthread_getaffinity_np pthread_getattr_default_np pthread_getattr_np \
         pthread_getconcurrency pthread_getcpuclockid pthread_getname_np pthread_getschedparam \
         pthread_mutex_clocklock pthread_mutex_consistent pthread_mutex_consistent_np \
         pthread_mutex_getprioceiling pthread_mutex_setprioceiling \
         pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol \
         pthread_mutexattr_getpshared pthread_mutexattr_getrobust pthread_mutexattr_getrobust_np \
         pthread_mutexattr_gettype pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol \
         pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np \
         pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_timedrdlock \
         pthread_rwlock_timedwrlock pthread_rwlockattr_destroy pthread_rwlockattr_getkind_np \
         pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np \
         pthread_rwlockattr_setpshared pthread_setaffinity_np pthread_setattr_default_np \
         pthread_setconcurrency pthread_setname_np pthread_setschedparam pthread_setschedprio \
         pthread_timedjoin_np pthread_tryjoin_np pthread_yield",
    ),
    ("pwd.h", "fgetpwent fgetpwent_r getpw getpwent_r putpwent"),
    (
        "regex.h",
        "re_compile_fastmap re_compile_pattern re_match re_match_2 re_search re_search_2 \
         re_set_registers re_set_syntax",
    ),
    (
        "rpc/netdb.h",
        "endrpcent getrpcbyname getrpcbyname_r getrpcbynumber getrpcbynumber_r getrpcent \
         getrpcent_r setrpcent",
    ),
    (
        "sched.h",
        "clone getcpu sched_get_priority_max sched_get_priority_min sched_getcpu sched_getparam \
         sched_getscheduler sched_rr_get_interval sched_setparam setns unshare",
    ),
    ("search.h", "hcreate_r hdestroy_r hsearch_r tdestroy twalk_r"),
    ("semaphore.h", "sem_clockwait"),
    (
        "shadow.h",
        "endspent fgetspent fgetspent_r getspent getspent_r getspnam getspnam_r lckpwdf putspent \
         setspent sgetspent sgetspent_r ulckpwdf",
    ),
    (
        "signal.h",
        "gsignal psiginfo pthread_sigqueue sigandset sigblock siggetmask sighold sigignore \
         sigisemptyset sigorset sigrelse sigreturn sigset sigsetmask sigstack ssignal sysv_signal \
         tgkill",
    ),
    (
        "spawn.h",
        "posix_spawn_file_actions_addchdir_np posix_spawn_file_actions_addclose \
         posix_spawn_file_actions_addclosefrom_np posix_spawn_file_actions_adddup2 \
         posix_spawn_file_actions_addfchdir_np posix_spawn_file_actions_addopen \
         posix_spawn_file_actions_addtcsetpgrp_np posix_spawn_file_actions_destroy \
         posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_getflags \
         posix_spawnattr_getpgroup posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy \
         posix_spawnattr_getsigdefault posix_spawnattr_getsigmask posix_spawnattr_init \
         posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setschedparam \
         posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault posix_spawnattr_setsigmask",
    ),
    (
        "stdio.h",
        "cuserid fcloseall fgetpos64 fopencookie freopen64 fseeko64 fsetpos64 ftello64 \
         obstack_printf obstack_vprintf renameat renameat2 tmpfile64 tmpnam_r",
    ),
    (
        "stdlib.h",
        "canonicalize_file_name drand48_r ecvt_r erand48_r fcvt_r getpt initstate_r jrand48_r \
         lcong48_r lrand48_r mkostemp64 mkostemps mkostemps64 mkstemp64 mkstemps mkstemps64 \
         mrand48_r nrand48_r ptsname_r qecvt qecvt_r qfcvt qfcvt_r qgcvt random_r rpmatch \
         seed48_r setstate_r srand48_r srandom_r strfromd strfromf strfroml strtod_l strtof_l \
         strtol_l strtold_l strtoll_l strtoul_l strtoull_l",
    ),
    (
        "string.h",
        "explicit_bzero sigabbrev_np sigdescr_np strcoll_l strerror_l strerrordesc_np \
         strerrorname_np strxfrm_l",
    ),
    ("strings.h", "strcasecmp_l strncasecmp_l"),
    ("sys/epoll.h", "epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait"),
    ("sys/eventfd.h", "eventfd eventfd_read eventfd_write"),
    ("sys/file.h", "flock"),
    ("sys/inotify.h", "inotify_add_watch inotify_init inotify_init1 inotify_rm_watch"),
    ("sys/ipc.h", "ftok"),
    (
        "sys/mman.h",
        "memfd_create mincore mlock2 mmap64 mremap pkey_alloc pkey_free pkey_get pkey_mprotect \
         pkey_set posix_madvise process_madvise process_mrelease remap_file_pages",
    ),
    (
        "sys/mount.h",
        "fsconfig fsmount fsopen fspick mount mount_setattr move_mount open_tree umount umount2",
    ),
    ("sys/prctl.h", "prctl"),
    ("sys/ptrace.h", "ptrace"),
    ("sys/random.h", "getrandom"),
    ("sys/reboot.h", "reboot"),
    ("sys/resource.h", "getrlimit64 prlimit prlimit64 setrlimit64"),
    ("sys/sem.h", "semtimedop"),
    ("sys/sendfile.h", "sendfile sendfile64"),
    ("sys/signalfd.h", "signalfd"),
    ("sys/socket.h", "accept4 isfdtype recvmmsg sendmmsg sockatmark"),
    (
        "sys/stat.h",
        "fstat64 fstatat64 futimens getumask lchmod lstat64 mkfifoat mknodat stat64 statx",
    ),
    ("sys/statfs.h", "fstatfs fstatfs64 statfs statfs64"),
    ("sys/statvfs.h", "fstatvfs64 statvfs64"),
    ("sys/swap.h", "swapoff swapon"),
    ("sys/sysinfo.h", "get_avphys_pages get_nprocs get_nprocs_conf get_phys_pages sysinfo"),
    ("sys/time.h", "adjtime futimes futimesat lutimes"),
    ("sys/timeb.h", "ftime"),
    ("sys/timerfd.h", "timerfd_create timerfd_gettime timerfd_settime"),
    (
        "sys/uio.h",
        "preadv preadv2 preadv64 preadv64v2 process_vm_readv process_vm_writev pwritev pwritev2 \
         pwritev64 pwritev64v2",
    ),
    (
        "sys/xattr.h",
        "fgetxattr flistxattr fremovexattr fsetxattr getxattr lgetxattr listxattr llistxattr \
         lremovexattr lsetxattr removexattr setxattr",
    ),
    ("termios.h", "cfmakeraw cfsetspeed tcflow tcgetsid tcsendbreak"),
    (
        "time.h",
        "clock_adjtime clock_getcpuclockid dysize getdate_r strftime_l strptime_l \
         timer_getoverrun timespec_getres",
    ),
    ("uchar.h", "c8rtomb mbrtoc8"),
    ("ucontext.h", "getcontext makecontext setcontext swapcontext"),
    (
        "unistd.h",
        "acct close_range closefrom copy_file_range daemon dup3 eaccess endusershell euidaccess \
         execveat execvpe fchownat fexecve ftruncate64 get_current_dir_name getdtablesize \
         getentropy getpass getresgid getresuid gettid getusershell group_member pipe2 pread64 \
         profil pwrite64 revoke setdomainname sethostid sethostname setlogin setpgrp setresgid \
         setresuid setusershell symlinkat syncfs truncate64 ttyslot vhangup",
    ),
    ("utmpx.h", "getutmp getutmpx getutxid getutxline pututxline updwtmpx utmpxname"),
    (
        "wchar.h",
        "fgetwc_unlocked fgetws_unlocked fputwc_unlocked fputws_unlocked getwc_unlocked \
         getwchar_unlocked putwc_unlocked putwchar_unlocked wcscasecmp_l wcschrnul wcscoll_l \
         wcsftime_l wcsncasecmp_l wcstod_l wcstof_l wcstol_l wcstold_l wcstoll_l wcstoq wcstoul_l \
         wcstoull_l wcstouq wcswcs wcsxfrm_l",
    ),
    (
        "wctype.h",
        "iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswctype_l iswdigit_l iswgraph_l iswlower_l \
         iswprint_l iswpunct_l iswspace_l iswupper_l iswxdigit_l towctrans_l towlower_l \
         towupper_l wctrans_l wctype_l",
    ),
];
