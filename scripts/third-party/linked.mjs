// What becomes part of the native binaries, and the notices that have to go with them. Written by hand: no package
// manager knows it. Whoever links something new adds it here and runs scripts/third-party.mjs.

/**
 * @typedef {object} LinkedComponent
 * @property {string} name
 * @property {string} licence    SPDX expression
 * @property {string} where      which binaries contain it, and how it gets there
 * @property {string[]} notices  copyright lines
 */

/** @type {LinkedComponent[]} */
export const linkedComponents = [
  {
    name: 'QuickJS-NG',
    licence: 'MIT AND Unicode-3.0',
    where:
      'the engine in wardenpool-launcher and code-runner, from `quickjs.wasm` of the npm package `quickjs-wasi`',
    notices: [
      'Copyright (c) 2017-2026 Fabrice Bellard',
      'Copyright (c) 2017-2024 Charlie Gordon',
      'Copyright (c) 2023-2026 Ben Noordhuis',
      'Copyright (c) 2023-2026 Saúl Ibarra Corretgé',
    ],
  },
  {
    name: 'quickjs-wasi',
    licence: 'MIT',
    where: 'the C interfaces around QuickJS-NG in the same `quickjs.wasm` and around Ada in `url.so`',
    notices: ['Copyright (c) 2026 Vercel, Inc.'],
  },
  {
    name: 'wasi-libc',
    licence: 'MIT AND BSD-2-Clause AND CC0-1.0',
    where:
      'the C library inside `quickjs.wasm`, with parts of musl (MIT), cloudlibc and libpreopen (BSD-2-Clause) and dlmalloc (CC0-1.0)',
    notices: [
      'Copyright (c) wasi-libc contributors',
      'Copyright © 2005-2020 Rich Felker, et al. (musl)',
      'Copyright © 1993, 2004 Sun Microsystems, © 2003-2011 David Schultz, © 2003-2009 Steven G. Kargl, © 2003-2009 Bruce D. Evans, © 2008 Stephen L. Moshier, © 2017-2018 Arm Limited (mathematics of musl)',
      'Copyright (c) 2015-2016 Nuxi, https://nuxi.nl/ (cloudlibc)',
      'Copyright (c) 2016-2017 Stanley Uche Godfrey, Copyright (c) 2016-2018 Jonathan Anderson (libpreopen)',
    ],
  },
  {
    name: 'LLVM compiler-rt',
    licence: 'Apache-2.0 WITH LLVM-exception',
    where:
      'arithmetic helpers inside `quickjs.wasm`; the exception frees compiled code from conditions 4(a), (b) and (d)',
    notices: ['Copyright (c) LLVM project contributors'],
  },
  {
    name: 'Ada',
    licence: 'MIT OR Apache-2.0',
    where:
      'the URL parser in wardenpool-launcher and code-runner, from `url.so` of the npm package `quickjs-wasi`',
    notices: ['Copyright 2023 Yagiz Nizipli and Daniel Lemire'],
  },
  {
    name: 'LLVM libc++',
    licence: 'Apache-2.0 WITH LLVM-exception',
    where:
      'strings and numbers of C++ inside `url.so`; the exception frees compiled code from conditions 4(a), (b) and (d)',
    notices: ['Copyright (c) LLVM project contributors'],
  },
  {
    name: 'WABT (wasm2c)',
    licence: 'Apache-2.0',
    where:
      'wasm2c translates `quickjs.wasm` and `url.so`: the generated C contains its templates and is compiled with its header `wasm-rt.h`; unmodified',
    notices: ['Copyright 2016-2023 WebAssembly Community Group participants'],
  },
  {
    name: 'GNU C Library',
    licence: 'LGPL-2.1-or-later',
    where:
      'linked statically into wardenpool-launcher and code-runner, unmodified, as the building system provides it',
    notices: [
      'Copyright (C) 1991-2026 Free Software Foundation, Inc. and others',
      'Copyright (C) 1993 by Sun Microsystems, Inc. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved. (mathematics, also of musl)',
    ],
  },
  {
    name: 'GCC runtime libraries (libgcc, libstdc++)',
    licence: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    where:
      'compiler helpers in all native binaries, and templates of the C++ library in the addon, which else loads it from the system; the exception allows any licence for the whole',
    notices: ['Copyright (C) Free Software Foundation, Inc.'],
  },
  {
    name: 'node-addon-api',
    licence: 'MIT',
    where: 'C++ headers compiled into the addon',
    notices: ['Copyright (c) 2017 Node.js API collaborators'],
  },
];

/** The licences whose full text must accompany the binaries; one file each beside this one. */
export const licenceTexts = ['MIT', 'BSD-2-Clause', 'Unicode-3.0', 'Apache-2.0', 'LGPL-2.1'];
