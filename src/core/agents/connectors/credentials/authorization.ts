import { RuntimeError } from '../../../base/shared/errors.ts';
import { isHeaderValue } from '../../providers/secret-schema.ts';
import type { Auth } from '../definition/environment-schema.ts';
import type { BuiltRequest } from '../request/request.ts';
import { percentEncoded } from '../request/styles.ts';

/** For `oauth2`, `secret` is the access token. */
export interface AuthSecret {
  username?: string | null;
  secret: string;
}

/** Added last; callers cannot set these. Messages never contain the secret. */
export function authorize(request: BuiltRequest, auth: Auth, credential: AuthSecret): BuiltRequest {
  switch (auth.type) {
    case 'none':
      return request;
    case 'bearer':
    case 'oauth2':
      return withHeader(request, 'authorization', `Bearer ${credential.secret}`);
    case 'basic':
      return withHeader(request, 'authorization', `Basic ${basicCredentials(auth.username, credential)}`);
    case 'apiKey': {
      const value = auth.prefix === undefined ? credential.secret : `${auth.prefix} ${credential.secret}`;
      return auth.in === 'header' ? withHeader(request, auth.name, value) : withParameter(request, auth.name, value);
    }
  }
}

/** RFC 7617 in UTF-8. Some APIs want an empty username. */
function basicCredentials(configured: string | undefined, { username, secret }: AuthSecret): string {
  const user = configured ?? username ?? '';
  if (user.includes(':')) throw unusable('has a colon in its username, which HTTP Basic cannot tell from the secret');
  if (/\p{Cc}/u.test(user + secret)) throw unusable('has control characters');
  return Buffer.from(`${user}:${secret}`).toString('base64');
}

function withHeader(request: BuiltRequest, name: string, value: string): BuiltRequest {
  if (!isHeaderValue(value)) throw unusable('must be printable ASCII on one line, without blanks at its ends');
  return { ...request, headers: [...request.headers, name, value] };
}

function withParameter(request: BuiltRequest, name: string, value: string): BuiltRequest {
  const url = new URL(request.url);
  const own = `${percentEncoded(name)}=${percentEncoded(value)}`;
  url.search = url.search === '' ? own : `${url.search}&${own}`;
  return { ...request, url };
}

function unusable(why: string): RuntimeError {
  return new RuntimeError('unavailable', `The credential of the connector ${why}.`);
}
