/** Times in milliseconds, sizes in bytes. */
export const LIMITS = {
  timeoutMs: { default: 30_000, maximum: 120_000 },
  /** Decompressed. */
  responseBytes: { default: 5 * 1024 * 1024, maximum: 50 * 1024 * 1024 },
  attempts: { default: 3, maximum: 5 },
  concurrent: { default: 64, maximum: 500 },
  resources: 2_000,
  credentials: 50,
} as const;
