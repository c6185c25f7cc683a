/** The vendors whose APIs are supported; `custom` is any server with OpenAI's API. */
export const PROVIDERS = ['openai', 'anthropic', 'bedrock', 'groq', 'gemini', 'xai', 'custom'] as const;
export type ProviderName = (typeof PROVIDERS)[number];
