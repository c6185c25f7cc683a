import type { Usage } from '../../core/agents/chat/provider.ts';

interface Details {
  cached?: number | null;
  written?: number | null;
  reasoning?: number | null;
}

/** Omits counts that are zero or unknown. */
export function usageOf(inputTokens: number, outputTokens: number, { cached, written, reasoning }: Details): Usage {
  return {
    inputTokens,
    outputTokens,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}
