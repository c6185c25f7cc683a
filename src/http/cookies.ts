interface CookieOptions {
  path: string;
  maxAgeSeconds: number;
  /** Whether the request came over https: a browser keeps a Secure cookie from nothing else. */
  secure: boolean;
}

/** The value of a cookie of a request's Cookie header; undefined: it was not sent. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A Set-Cookie header for a cookie that no script reads and no other site sends. The value needs no escaping. */
export function setCookie(name: string, value: string, { path, maxAgeSeconds, secure }: CookieOptions): string {
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}
