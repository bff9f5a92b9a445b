/** What the kernels run in. */
import type { Kernel } from './kernels.js';

export interface Engine {
  readonly name: string;
  /** Runs the kernel in a fresh context. Gives the time that the kernel took by its own clock, ms. */
  run(kernel: Kernel): Promise<number>;
  close(): Promise<void>;
}
