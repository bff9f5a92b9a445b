/** Asks the guest: runs the program of every feature in a sandbox of its own. */
import { createPool } from 'wardenpool';
import { compatTable } from './compat-table.js';
import type { Feature } from './feature.js';
import { engineFacts } from './features/engine.js';
import { es2020 } from './features/es2020.js';
import { es2021 } from './features/es2021.js';
import { es2022 } from './features/es2022.js';
import { es2023 } from './features/es2023.js';
import { es2024 } from './features/es2024.js';
import { es2025 } from './features/es2025.js';
import { es2026, proposals } from './features/es2026.js';
import { environment } from './features/globals.js';

export interface Answer extends Feature {
  isThere: boolean;
}

export const features: Feature[] = [
  ...compatTable,
  ...es2020,
  ...es2021,
  ...es2022,
  ...es2023,
  ...es2024,
  ...es2025,
  ...es2026,
  ...proposals,
  ...engineFacts,
  ...environment,
];

/** In the order of `features`. */
export async function survey(): Promise<Answer[]> {
  const pool = await createPool({ concurrency: 64 });
  try {
    return await Promise.all(
      features.map(async (feature) => {
        const run = await pool.run(feature.code);
        return { ...feature, isThere: run.ok && run.value === true };
      }),
    );
  } finally {
    await pool.close();
  }
}
