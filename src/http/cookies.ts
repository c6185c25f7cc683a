interface CookieOptions {
  path: string;
  maxAgeSeconds: number;
  /** Browsers reject a Secure cookie from http. */
  secure: boolean;
}

export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** HttpOnly, SameSite=Strict. The value must need no escaping. */
export function setCookie(name: string, value: string, { path, maxAgeSeconds, secure }: CookieOptions): string {
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}
