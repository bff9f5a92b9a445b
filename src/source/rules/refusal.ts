/** Why a text is not run at all: known from the text alone, and said in a way that a model can act on. Types only. */

/** Always a `SyntaxError` of kind `javascript` to the caller. Plain data: it crosses between threads. */
export interface Refusal {
  message: string;
  hint: string;
  /** The hint gets a sentence that names the tools of the run: readings are kept for all runs of a text. */
  namesTools?: boolean;
  /** Where in the text that was looked at. */
  offset?: number;
}
