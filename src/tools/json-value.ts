/** What crosses the boundary between programs and tools. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
