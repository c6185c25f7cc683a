import { useMemo, useState } from 'react';
import { allOf } from '../../../api/all-pages.ts';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Waterfall } from '../../../transcript/steps/waterfall.tsx';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { type Execution, STEPS } from '../executions.ts';

type Step = Execution['steps'][number];
const PAGE_SIZE = 1_000;

/** The agent's work, step by step. The execution has the first 1,000 steps; the others are read on request. */
export function Steps({ execution }: { execution: Execution }) {
  const { id, steps: first, stepsTotal, status } = execution;
  const [all, setAll] = useState<Step[]>();
  const { error, isBusy, run } = useTask();
  const sent = useMemo(() => first.filter((step) => !step.isFromMessages), [first]);
  const shown = useMemo(() => (all ? [...all, ...first.filter((step) => step.isFromMessages)] : first), [all, first]);
  if (first.length === 0) return null;
  const isCut = (all ?? sent).length < stepsTotal;
  const readAll = async () => setAll(await stepsOf(id));
  return (
    <Section id="steps" title={t('Steps|of an execution')}>
      <Waterfall
        steps={shown}
        isRunning={status === 'running'}
        total={isCut ? stepsTotal + first.length - sent.length : shown.length}
      />
      {error !== null && <ErrorNotice error={error} />}
      {isCut && (
        <p>
          <Button disabled={isBusy} onClick={() => void run(readAll)}>
            {isBusy ? t('Loading the steps …') : t('Load all {count} steps', { count: stepsTotal })}
          </Button>
        </p>
      )}
    </Section>
  );
}

function stepsOf(executionId: string): Promise<Step[]> {
  return allOf(async (query) => {
    const { steps, nextCursor } = await answerOf(client.GET(STEPS, { params: { path: { executionId }, query } }));
    return { rows: steps, nextCursor };
  }, PAGE_SIZE);
}
