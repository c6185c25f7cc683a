/** `custom`: any server with OpenAI's API. */
export const VENDORS = ['openai', 'anthropic', 'bedrock', 'groq', 'gemini', 'xai', 'custom'] as const;
export type Vendor = (typeof VENDORS)[number];
