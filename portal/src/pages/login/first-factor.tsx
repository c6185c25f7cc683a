import { useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { t } from '../../language/index.ts';
import { AppEnrolment, PasskeyEnrolment } from '../../second-factor/enrolment.tsx';
import { type Begun, canUsePasskeys, type NewFactor } from '../../second-factor/passkey.ts';
import { useTold } from '../../second-factor/proof-form.tsx';
import { RecoveryCodes } from '../../second-factor/recovery-codes.tsx';
import { Button } from '../../ui/button.tsx';

export type Needed = Schemas['SecondFactorNeeded']['secondFactor'];

export const SECOND_FACTOR = '/api/v1/portal/login/second-factor';

interface FirstFactorProps {
  ticket: string;
  onEnter(codes: readonly string[] | null): void;
  onStartAgain(): void;
}

/** The tenant requires a second factor, and the user has none. */
export function FirstFactor({ ticket, onEnter, onStartAgain }: FirstFactorProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [addsPasskey, setAddsPasskey] = useState(false);
  const { fault, isBusy, run } = useTold();
  const begin = (method: 'code' | 'passkey') =>
    admitted(client.POST(`${SECOND_FACTOR}/enrolment`, { body: { ticket, method } }));
  const confirm = async (factor: NewFactor) => {
    const body = { ticket, ...factor, session: 'cookie' as const };
    onEnter((await admitted(client.POST(`${SECOND_FACTOR}/enrolment/confirm`, { body }))).recoveryCodes);
  };
  if (begun) return <AppEnrolment begun={begun} confirm={confirm} onCancel={() => setBegun(null)} />;
  if (addsPasskey) {
    return <PasskeyEnrolment begin={() => begin('passkey')} confirm={confirm} onCancel={() => setAddsPasskey(false)} />;
  }
  return (
    <div className="stack">
      <p>{t('Your tenant requires a second factor. Add one now; you need it at each login from now on.')}</p>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <Button look="primary" disabled={isBusy} onClick={() => void run(async () => setBegun(await begin('code')))}>
        {t('Authenticator app')}
      </Button>
      {canUsePasskeys() && <Button onClick={() => setAddsPasskey(true)}>{t('Passkey')}</Button>}
      <Button look="quiet" onClick={onStartAgain}>
        {t('Log in as somebody else')}
      </Button>
    </div>
  );
}

/** The session is open: the codes are shown before its first page. */
export function KeepCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  return (
    <div className="stack">
      <h2>{t('Your recovery codes')}</h2>
      <RecoveryCodes codes={codes} />
      <Button look="primary" onClick={onKept}>
        {t('I have kept them')}
      </Button>
    </div>
  );
}

/** The data of an answer. Throws the server's message, with the time to wait. */
export async function admitted<Data>(request: Promise<{ data?: Data; error?: unknown; response: Response }>) {
  const { data, error, response } = await request;
  return data ?? fail(error, response);
}

/** Throws the server's answer, with the time to wait. */
export function fail(error: unknown, response: Response): never {
  const seconds = response.headers.get('retry-after');
  const wait =
    seconds === null ? [] : [t.count(Number(seconds), 'Try again in {count} second.', 'Try again in {count} seconds.')];
  throw new Error([messageOf(error), ...wait].join(' '), { cause: error });
}
