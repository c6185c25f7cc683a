export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, late.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
