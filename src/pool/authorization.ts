/** The `authorize` option: asks it about one call, and takes nothing but a clear word for a yes. */
import { describeValue } from '../tools/describe-value.js';
import { CallRefusal } from './call-refusal.js';
import type { ToolCall } from './run-result.js';

/** What `authorize` answers. `deny`: the reason, which the program is told. */
export type Authorization = 'allow' | { deny: string };

export type Authorize = (call: ToolCall) => Authorization | Promise<Authorization>;

/**
 * Resolves if the call may be made; rejects with a CallRefusal if not, also when `authorize` itself failed, of which
 * `onFailure` is told and the program is not.
 */
export async function authorizeCall(
  authorize: Authorize,
  call: ToolCall,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let reason: string | undefined;
  try {
    reason = denialReason(await authorize(call));
  } catch (cause) {
    onFailure(cause);
    throw new CallRefusal('denied', 'TOOL_DENIED', 'The call could not be authorized.', { cause });
  }
  if (reason === undefined) return;
  throw new CallRefusal('denied', 'TOOL_DENIED', reason.trim() === '' ? 'The call was denied.' : reason);
}

/** Undefined: allowed. Throws when the answer is neither a yes nor a no. */
function denialReason(answer: unknown): string | undefined {
  if (answer === 'allow') return undefined;
  if (typeof answer === 'object' && answer !== null) {
    const { deny } = answer as { deny?: unknown };
    if (typeof deny === 'string') return deny;
  }
  throw new TypeError(
    `authorize() answered ${describeValue(answer)}: it must answer 'allow' or { deny: reason }`,
  );
}
