/** A call of a function, as OpenAI writes it: the arguments are text, which the model meant to be JSON. */
export interface FunctionCall {
  id: string;
  name: string;
  arguments: string;
}

/** Reads a recorded call. Null if it is not a call of a function in OpenAI's form. */
export function readCall({ id, type, function: called }: Record<string, unknown>): FunctionCall | null {
  if (typeof id !== 'string' || type !== 'function' || typeof called !== 'object' || called === null) return null;
  const { name, arguments: text } = called as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string' ? { id, name, arguments: text } : null;
}
