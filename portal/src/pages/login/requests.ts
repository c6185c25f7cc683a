import { client, type Schemas } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { givePasskey } from '../../second-factor/passkey.ts';

export type Needed = Schemas['SecondFactorNeeded']['secondFactor'];

export const SECOND_FACTOR = '/api/v1/portal/login/second-factor';

/** Without e-mail and password: the browser asks which passkey. */
export async function loginWithPasskey(): Promise<void> {
  const begun = await client.POST('/api/v1/portal/login/passkey/options', { body: {} });
  if (!begun.data) throw begun.error;
  const { ticket, passkeyOptions } = begun.data;
  const passkey = await givePasskey(passkeyOptions);
  const body = { ticket, passkey, session: 'cookie' as const };
  const { error } = await client.POST('/api/v1/portal/login/passkey', { body });
  if (error) throw error;
}

/** Throws the server's answer, with the time to wait. */
export function fail(error: unknown, response: Response): never {
  throw new Error(`${messageOf(error)}${waitOf(response)}`, { cause: error });
}

export function waitOf(response: Response): string {
  const seconds = response.headers.get('retry-after');
  return seconds === null ? '' : ` Try again in ${seconds} seconds.`;
}
