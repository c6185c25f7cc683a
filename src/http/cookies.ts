interface CookieOptions {
  path: string;
  maxAgeSeconds: number;
  /** Browsers reject a Secure cookie from http. */
  secure: boolean;
  /** `Lax`: also sent when another site leads here. Default: `Strict`. */
  sameSite?: 'Strict' | 'Lax';
}

/** All values of the cookie: browsers send several if it was set for several paths. */
export function cookiesIn(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** HttpOnly. The value must need no escaping. */
export function setCookie(
  name: string,
  value: string,
  { path, maxAgeSeconds, secure, sameSite = 'Strict' }: CookieOptions,
): string {
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}
