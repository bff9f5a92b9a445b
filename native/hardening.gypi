# Hardening of everything that is compiled and linked here, the translated engine and the addon included;
# test/native/hardening.test.ts looks for each of these in the built files, where -frecord-gcc-switches writes them down.
# What that costs cannot be measured: CPU time of fib, JSON, sort and an empty program differs by less than its scatter, and the
# counts of bench/counts are the same. Nothing is stripped: symbols are 7 % of a file, are not loaded, and explain a crash.
#
# Not here: CET (-fcf-protection). Linux gives no user process indirect-branch tracking, and a shadow stack only to a program
# whose every object is marked for it, which those of static C libraries are not, and whose environment asks for it, which is
# empty: the landing pads would be bytes without a use. PAC and BTI of arm64 (-mbranch-protection): there was no such machine to
# try them on. And -ftrivial-auto-var-init, which GCC has only from version 12 on.
{
  'cflags': ['-fstack-protector-strong', '-fstack-clash-protection', '-frecord-gcc-switches'],
  # 3 counts as 2 where the compiler or the C library is too old for it.
  'defines': ['_FORTIFY_SOURCE=3'],
  'ldflags': ['-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack'],
  'conditions': [['target_arch=="x64"', { 'cflags': ['-fcf-protection=none'] }]],
}
