/** LLM providers. */
export const providers = {};
