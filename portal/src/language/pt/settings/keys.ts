/** API keys and limits below the tenant. */
export const keys = {};
