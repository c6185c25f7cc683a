/** OpenAI's form: `arguments` is text that should be JSON. */
export interface FunctionCall {
  id: string;
  name: string;
  arguments: string;
}

export function readCall({ id, type, function: called }: Record<string, unknown>): FunctionCall | null {
  if (typeof id !== 'string' || type !== 'function' || typeof called !== 'object' || called === null) return null;
  const { name, arguments: text } = called as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string' ? { id, name, arguments: text } : null;
}
