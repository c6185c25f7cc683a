import { useQuery } from '@tanstack/react-query';
import { answerOf, client } from '../api/client.ts';
import { answerStepUp } from '../api/step-up.ts';
import { t } from '../language/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import type { Proof } from './passkey.ts';
import { ProofForm } from './proof-form.tsx';

const STEP_UP = '/api/v1/portal/me/step-up';

/** Asks for the second factor again; the request that needed it is then repeated. */
export default function StepUpDialog() {
  // Requested each time: a challenge for a passkey works once.
  const { data, error } = useQuery({
    queryKey: ['step-up'],
    queryFn: () => answerOf(client.POST(`${STEP_UP}/options`, { body: {} })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const give = async (proof: Proof) => {
    await answerOf(client.POST(STEP_UP, { body: proof }));
    answerStepUp(true);
  };
  return (
    <Dialog
      open
      title={t('Confirm that it is you')}
      description={t('This change needs your second factor. It then holds for ten minutes.')}
      onClose={() => answerStepUp(false)}
    >
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Loading />}
      {data && <ProofForm offer={data} act={t('Confirm')} onProof={give} onCancel={() => answerStepUp(false)} />}
    </Dialog>
  );
}
