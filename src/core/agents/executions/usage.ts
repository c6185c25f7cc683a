/** TokenCounts of a model call, or of all calls of an execution. Null: not said. */
export interface TokenCounts {
  /** Cached ones included. */
  inputTokens: number | null;
  /** Reasoning included. */
  outputTokens: number | null;
  totalTokens: number | null;
}

/** As providers name their counts: this server, OpenAI, Anthropic, Gemini and Bedrock. */
const NAMES = {
  input: ['inputTokens', 'prompt_tokens', 'input_tokens', 'promptTokenCount'],
  output: ['outputTokens', 'completion_tokens', 'output_tokens', 'candidatesTokenCount'],
  total: ['totalTokens', 'total_tokens', 'totalTokenCount'],
  cacheRead: ['cachedInputTokens', 'cache_read_input_tokens', 'cachedContentTokenCount', 'cacheReadInputTokens'],
  cacheWrite: ['cacheWriteTokens', 'cache_creation_input_tokens', 'cacheWriteInputTokens'],
};

export interface CountedUsage extends TokenCounts {
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
}

/** The counts of a usage as its provider made it; each null where it has none. */
export function countsOf(usage: Record<string, unknown> | null): CountedUsage {
  const count = (names: readonly string[]) => (usage === null ? null : firstCount(usage, names));
  const cacheReadTokens = count(NAMES.cacheRead) ?? nestedCount(usage);
  const cacheWriteTokens = count(NAMES.cacheWrite);
  const input = count(NAMES.input);
  // Anthropic's input is what was neither read from the cache nor written to it.
  const isApart = usage !== null && ('cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage);
  const inputTokens = input !== null && isApart ? input + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) : input;
  const outputTokens = count(NAMES.output);
  const sum = inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  return { inputTokens, outputTokens, totalTokens: count(NAMES.total) ?? sum, cacheReadTokens, cacheWriteTokens };
}

function firstCount(usage: Record<string, unknown>, names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  }
  return null;
}

/** OpenAI's `prompt_tokens_details` and `input_tokens_details`. */
function nestedCount(usage: Record<string, unknown> | null): number | null {
  const details = usage?.prompt_tokens_details ?? usage?.input_tokens_details;
  if (typeof details !== 'object' || details === null) return null;
  return firstCount(details as Record<string, unknown>, ['cached_tokens']);
}
