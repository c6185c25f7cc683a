/** The vendors whose APIs the runtime speaks; `custom` is any server with the API of OpenAI. */
export const PROVIDERS = ['openai', 'anthropic', 'bedrock', 'groq', 'gemini', 'xai', 'custom'] as const;
export type ProviderName = (typeof PROVIDERS)[number];
