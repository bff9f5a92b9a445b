/** What is being measured now, on stderr: a whole run takes minutes. */
export function progress(what: string): void {
  console.error(`measuring ${what} …`);
}
