# Hardening of the two executables: position-independent and static, since a sandbox has no file system to load from.
{
  'cflags!': ['-fPIC', '-pthread'],
  'cflags': ['-fPIE', '-O2', '-fstack-protector-strong', '-ffunction-sections', '-fdata-sections'],
  'defines': ['_FORTIFY_SOURCE=2'],
  'ldflags!': ['-rdynamic', '-pthread'],
  'ldflags': ['-static-pie', '-Wl,-z,relro', '-Wl,-z,now', '-Wl,-z,noexecstack', '-Wl,--gc-sections'],
  'conditions': [['target_arch=="x64"', { 'cflags': ['-fcf-protection=full'] }]],
}
