# For tests, never shipped: links a target once more, so that its calls can be made to fail; see native/faults/faults.h.
{
  'sources': ['faults/faults.c', 'faults/wrappers.c'],
  # Unfortified: else some calls have another name, and are not wrapped.
  'cflags': ['-U_FORTIFY_SOURCE'],
  'ldflags': ['<!@(node -p "[...require(\'fs\').readFileSync(\'native/faults/calls.h\', \'utf8\').matchAll(/ CALL.([a-z0-9_]+), /g)].map(([, name]) => \'-Wl,--wrap=\' + name).join(\' \')")'],
}
