import { useState } from 'react';
import { client } from '../../api/client.ts';
import { AppEnrolment, PasskeyEnrolment } from '../../second-factor/enrolment.tsx';
import { type Begun, canUsePasskeys, type NewFactor, type Proof } from '../../second-factor/passkey.ts';
import { ProofForm } from '../../second-factor/proof-form.tsx';
import { RecoveryCodes } from '../../second-factor/recovery-codes.tsx';
import { useTold } from '../../second-factor/use-told.ts';
import { Button } from '../../ui/button.tsx';
import { fail, type Needed, SECOND_FACTOR } from './requests.ts';

interface SecondFactorStepProps {
  needed: Needed;
  onEnter(): void;
  onStartAgain(): void;
}

/** After the right password. */
export function SecondFactorStep({ needed, onEnter, onStartAgain }: SecondFactorStepProps) {
  const give = async (proof: Proof) => {
    const body = { ticket: needed.ticket, ...proof, session: 'cookie' as const };
    const { data, error, response } = await client.POST(SECOND_FACTOR, { body });
    if (!data) fail(error, response);
    onEnter();
  };
  return <ProofForm offer={needed} act="Log in" onProof={give} onCancel={onStartAgain} />;
}

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
  const begin = async (method: 'code' | 'passkey') => {
    const { data, error, response } = await client.POST(`${SECOND_FACTOR}/enrolment`, { body: { ticket, method } });
    if (!data) fail(error, response);
    return data;
  };
  const confirm = async (factor: NewFactor) => {
    const body = { ticket, ...factor, session: 'cookie' as const };
    const { data, error, response } = await client.POST(`${SECOND_FACTOR}/enrolment/confirm`, { body });
    if (!data) fail(error, response);
    onEnter(data.recoveryCodes);
  };
  if (begun) return <AppEnrolment begun={begun} confirm={confirm} onCancel={() => setBegun(null)} />;
  if (addsPasskey) {
    return <PasskeyEnrolment begin={() => begin('passkey')} confirm={confirm} onCancel={() => setAddsPasskey(false)} />;
  }
  return (
    <div className="stack">
      <p>Your tenant requires a second factor. Add one now; you need it at each login from now on.</p>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <Button look="primary" disabled={isBusy} onClick={() => void run(async () => setBegun(await begin('code')))}>
        Authenticator app
      </Button>
      {canUsePasskeys() && <Button onClick={() => setAddsPasskey(true)}>Passkey</Button>}
      <Button look="quiet" onClick={onStartAgain}>
        Log in as somebody else
      </Button>
    </div>
  );
}

/** The session is open: the codes are shown before its first page. */
export function KeepCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  return (
    <div className="stack">
      <h2>Your recovery codes</h2>
      <RecoveryCodes codes={codes} />
      <Button look="primary" onClick={onKept}>
        I have kept them
      </Button>
    </div>
  );
}
