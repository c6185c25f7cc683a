import type { TriedRequest } from '../call/trial-schema.ts';
import type { Auth } from '../definition/environment-schema.ts';
import type { BuiltRequest } from '../request/request.ts';
import { percentEncoded } from '../request/styles.ts';
import type { CompiledTarget } from '../request/target.ts';

const SECRET = '[secret]';

/** The request as people may see it: made of the definition, without reading a secret. */
export function sentRequest({ method, url, headers, body }: BuiltRequest, target: CompiledTarget): TriedRequest {
  const built = headers.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: headers[index + 1]! }] : []));
  const fixed = target.headers.map(([name, value]) => ({ name, value: typeof value === 'string' ? value : SECRET }));
  return {
    method,
    url: `${url.href}${parameterOf(target.auth, url)}`,
    headers: [...built, ...fixed, ...headerOf(target.auth)],
    body,
  };
}

function parameterOf(auth: Auth, { search }: URL): string {
  if (auth.type !== 'apiKey' || auth.in !== 'query') return '';
  return `${search === '' ? '?' : '&'}${percentEncoded(auth.name)}=${maskedValue(auth.prefix)}`;
}

function headerOf(auth: Auth): TriedRequest['headers'] {
  switch (auth.type) {
    case 'none':
      return [];
    case 'basic':
      return [{ name: 'authorization', value: maskedValue('Basic') }];
    case 'bearer':
    case 'oauth2':
      return [{ name: 'authorization', value: maskedValue('Bearer') }];
    case 'apiKey':
      return auth.in === 'header' ? [{ name: auth.name, value: maskedValue(auth.prefix) }] : [];
  }
}

function maskedValue(prefix: string | undefined): string {
  return prefix === undefined ? SECRET : `${prefix} ${SECRET}`;
}
