import type { CallToolResult, ContentBlock, TextContent } from '@modelcontextprotocol/server';

/* The only place that makes results of `tools/call`. */

interface Answer {
  /** Clients may show only this. */
  text: string;
  /** Fits the tool's output schema; absent for a tool without one. */
  structured?: unknown;
  /** After the text. */
  blocks?: ContentBlock[];
}

export function answerResult({ text, structured, blocks = [] }: Answer): CallToolResult {
  const content = [textBlock(text), ...blocks];
  return structured === undefined ? { content } : { content, structuredContent: structured as Record<string, unknown> };
}

/** An error that the model reads, and may correct. */
export function errorResult(text: string): CallToolResult {
  return { isError: true, content: [textBlock(text)] };
}

export function textBlock(text: string): TextContent {
  return { type: 'text', text };
}

/** `data` is in base64. */
export function pngBlock(data: string): ContentBlock {
  return { type: 'image', data, mimeType: 'image/png' };
}

/**
 * For JSON-RPC without the library: revision 2026-07-28 requires the result type, which older
 * clients ignore.
 */
export function wireResult(result: CallToolResult): CallToolResult & { resultType: 'complete' } {
  return { resultType: 'complete', ...result };
}
