# How the translated engine is compiled. The two names say where its profile is kept, and make the functions of both
# compilations, the one that counts and the final one, the same to the compiler.
{
  'include_dirs': ['engine', '<(generated)'],
  'cflags!': ['-Wall', '-Wextra', '-fPIC', '-pthread'],
  'cflags': ['-fPIE', '-O2', '-fno-strict-aliasing', '-dumpdir', '<(generated)/', '-dumpbase', 'quickjs'],
  'configurations': { 'Release': { 'cflags!': ['-O3', '-fno-omit-frame-pointer'] } },
}
