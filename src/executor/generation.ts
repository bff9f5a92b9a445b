/** One launcher of a thread, from its start to its end, and what the receipts of all its sandboxes have in common. */
import type { LauncherFacts } from './addon.js';
import { Launcher, type ZygoteOptions } from './launcher.js';
import type { ReceiptBase } from './sandbox-receipt.js';

export class Generation {
  readonly launcher: Launcher;
  /** Sandboxes that it was asked for, and those of them that are not over. */
  spawned = 0;
  alive = 0;
  readonly #describe: (facts: LauncherFacts) => Promise<ReceiptBase>;
  #receiptBase: ReceiptBase | undefined;

  /** Starts a launcher; throws a system error. `describe`: makes the receipts' common part, once the launcher is ready. */
  constructor(options: ZygoteOptions, describe: (facts: LauncherFacts) => Promise<ReceiptBase>) {
    this.launcher = Launcher.zygote(options);
    this.#describe = describe;
  }

  /** Of a launcher that is ready. */
  get receiptBase(): ReceiptBase {
    if (this.#receiptBase === undefined) throw new Error('the launcher is not ready yet');
    return this.#receiptBase;
  }

  /** Rejects as `Launcher.whenReady()` does. */
  async whenReady(): Promise<void> {
    this.#receiptBase = await this.#describe(await this.launcher.whenReady());
  }

  close(): Promise<void> {
    return this.launcher.close();
  }
}
