import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { roleLabel } from '../../api/roles.ts';
import { invalidate, useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { lastAgent, rememberAgent, useAgent } from '../../shell/remembered.ts';
import { Button } from '../../ui/button.tsx';
import { useTask } from '../../ui/refusal.tsx';
import { ErrorNotice } from '../../ui/states.tsx';
import { announce } from '../../ui/toast.tsx';
import { type Progress, SAMPLE_DATA } from './progress.ts';

/** Everything may have changed: events, metrics, tabs and cards. */
const everything = () => invalidate(() => true);

function useAdministratorReason(): string | undefined {
  const { isAdministrator, user } = useSession();
  return isAdministrator
    ? undefined
    : t('Your role, {role}, may not do this; an administrator of the workspace may.', { role: roleLabel(user.role) });
}

export function SampleDataPanel({ state }: { state: Progress['sampleData'] }) {
  const reason = useAdministratorReason();
  const { error, isBusy, run } = useTask();
  const load = () =>
    run(async () => {
      await answerOf(client.POST(SAMPLE_DATA, {}));
      await everything();
      announce(t('The sample data is loaded'));
    });
  return (
    <div className="stack tight">
      <p>
        {t(
          'Thirty days of a support desk: about 11,000 events under an agent of their own, four metrics and two dashboards. One press removes all of it again, and nothing of yours.',
        )}
      </p>
      {state === 'loaded' ? (
        <p>{t('The sample data is loaded.')}</p>
      ) : (
        <div className="row">
          <Button look="primary" reason={reason} disabled={isBusy || state === 'loading'} onClick={() => void load()}>
            {t('Load the sample data')}
          </Button>
          <span className="muted small" role="status">
            {isBusy || state === 'loading' ? t('Loading …') : reason}
          </span>
        </div>
      )}
      {error !== null && <ErrorNotice error={error} />}
    </div>
  );
}

/** One press, without a question: it can be loaded again. */
export function RemoveSample() {
  const reason = useAdministratorReason();
  const { error, isBusy, run } = useTask();
  const [isGone, setGone] = useState(false);
  const shown = useAgent();
  const navigate = useNavigate();
  const remove = () =>
    run(async () => {
      const { agentId } = await answerOf(client.GET(SAMPLE_DATA, {}));
      await answerOf(client.DELETE(SAMPLE_DATA, {}));
      setGone(true);
      // Nothing is left of the agent, so that pages would be empty.
      if (agentId === lastAgent()) rememberAgent(undefined);
      if (agentId === shown) await navigate({ to: '.', search: (before) => ({ ...before, agent: undefined }) });
      await everything();
      announce(t('The sample data is gone'));
      const place =
        document.querySelector<HTMLElement>('#first-hour') ?? document.querySelector<HTMLElement>('main h1');
      place?.focus();
    });
  if (isGone) return null;
  return (
    <>
      <div className="notice">
        <span className="hour-text">{t('The sample data is in this workspace.')}</span>
        <Button icon="trash" reason={reason} disabled={isBusy} onClick={() => void remove()}>
          {t('Remove the sample data')}
        </Button>
      </div>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
