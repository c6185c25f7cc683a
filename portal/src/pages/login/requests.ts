import { answerOf, client, type Schemas } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { givePasskey } from '../../second-factor/passkey.ts';

export type Needed = Schemas['SecondFactorNeeded']['secondFactor'];

export const SECOND_FACTOR = '/api/v1/portal/login/second-factor';

/** Without e-mail and password: the browser asks which passkey. */
export async function loginWithPasskey(): Promise<void> {
  const asked = client.POST('/api/v1/portal/login/passkey/options', { body: {} });
  const { ticket, passkeyOptions } = await answerOf(asked);
  const passkey = await givePasskey(passkeyOptions);
  const body = { ticket, passkey, session: 'cookie' as const };
  await answerOf(client.POST('/api/v1/portal/login/passkey', { body }));
}

/** Throws the server's answer, with the time to wait. */
export function fail(error: unknown, response: Response): never {
  throw new Error(`${messageOf(error)}${waitOf(response)}`, { cause: error });
}

export function waitOf(response: Response): string {
  const seconds = response.headers.get('retry-after');
  return seconds === null ? '' : ` Try again in ${seconds} seconds.`;
}
