import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { queryClient, useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { announce } from '../../ui/toast.tsx';
import { CardStep } from './card-step.tsx';
import { ClientStep } from './client-step.tsx';
import { EventStep } from './event-step.tsx';
import {
  currentStep,
  FIRST_HOUR,
  firstHourQuery,
  isComplete,
  type Progress,
  refetchProgress,
  rememberOver,
  STEPS,
  type Step,
} from './progress.ts';
import { QuestionStep } from './question-step.tsx';
import { RemoveSample } from './sample-data.tsx';
import { StepItem } from './step-item.tsx';
import { useDroppedFile } from './use-dropped-file.ts';

/** While the tab is visible. */
const POLL_MS = 2_500;

const TITLES: Record<Step, string> = {
  event: t('Send an event'),
  client: t('Connect a client'),
  question: t('Ask a question'),
  card: t('Save your first card'),
};

const DONE: Record<Step, (progress: Progress) => string> = {
  event: ({ event }) => (event ? t('“{name}” has arrived', { name: event.eventName }) : t('An event has arrived')),
  client: ({ call }) =>
    call ? t('{client} called {tool}', { client: call.client, tool: call.tool }) : t('A client has called a tool'),
  question: () => t('A question was asked'),
  card: () => t('A card was saved'),
};

/** Four steps. Each ticks itself once it has happened, over whatever channel. */
export function Checklist({ onClose }: { onClose(): void }) {
  const progress = useProgress();
  const [file, forgetFile] = useDroppedFile(() => setOpened('event'));
  /** The step that the user has opened; null: none. Undefined: the first one that is not done. */
  const [opened, setOpened] = useState<Step | null | undefined>();
  const close = useClose(onClose);
  if (!progress) return null;
  const open = opened === undefined ? currentStep(progress) : opened;
  const done = STEPS.filter((step) => progress.steps[step] !== null).length;
  const goOn = () => setOpened(undefined);

  const bodies: Record<Step, ReactNode> = {
    event: <EventStep progress={progress} file={file} onFile={forgetFile} onNext={goOn} />,
    client: <ClientStep call={progress.call} />,
    question: <QuestionStep suggestions={progress.suggestions} isDone={progress.steps.question !== null} />,
    card: <CardStep suggestions={progress.suggestions} isDone={progress.steps.card !== null} />,
  };
  return (
    <section className="panel padded stack" aria-labelledby="first-hour">
      <div className="row">
        <h2 id="first-hour" className="grow" tabIndex={-1}>
          {t('Your first hour')}
        </h2>
        <span className="muted small">{t('{done} of {total} done', { done, total: STEPS.length })}</span>
        {isComplete(progress) ? (
          <Button onClick={() => void close(false)}>{t('Close')}</Button>
        ) : (
          <Button look="quiet" onClick={() => void close(true)}>
            {t('Put away')}
          </Button>
        )}
      </div>
      <p className="muted">
        {isComplete(progress)
          ? t('All four steps are done. What you saved is below.')
          : t(
              'Four steps from nothing to a number that you can watch. Each ticks itself once it has happened, here or anywhere else.',
            )}
      </p>
      <ol>
        {STEPS.map((step, index) => (
          <StepItem
            key={step}
            number={index + 1}
            title={TITLES[step]}
            done={progress.steps[step] === null ? null : DONE[step](progress)}
            at={progress.steps[step] && <Time iso={progress.steps[step]} />}
            isOpen={open === step}
            onToggle={() => setOpened(open === step ? null : step)}
          >
            {bodies[step]}
          </StepItem>
        ))}
      </ol>
      {progress.sampleData === 'loaded' && <RemoveSample />}
    </section>
  );
}

/** The progress, read again and again until all is done. Says each step that is done meanwhile. */
function useProgress(): Progress | undefined {
  const { data } = useQuery({
    ...firstHourQuery,
    refetchInterval: ({ state }) => (state.data && isComplete(state.data) ? false : POLL_MS),
  });
  const last = useRef<Progress>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = data;
    if (!before || !data) return;
    const now = STEPS.filter((step) => before.steps[step] === null && data.steps[step] !== null);
    if (now.length === 0) return;
    const words = now.map((step) =>
      t('Step {number} is done: {event}.', { number: STEPS.indexOf(step) + 1, event: DONE[step](data) }),
    );
    announce(isComplete(data) ? `${words.join(' ')} ${t('All four steps are done.')}` : words.join(' '));
  }, [data]);
  return data;
}

/** Closes the checklist, for good if it is put away. Opened from Help, it is out again. */
function useClose(onClose: () => void) {
  const isWanted = useSearch({ from: '/shell/' })['first-hour'] !== undefined;
  const navigate = useNavigate();
  const { user } = useSession();
  useEffect(() => {
    if (!isWanted) return;
    rememberOver(user.id, false);
    void put(false);
  }, [isWanted, user.id]);
  return async (putAway: boolean) => {
    rememberOver(user.id, true);
    // Not only once the server has answered: that would take away what the user has opened meanwhile.
    if (putAway) await showPutAway();
    await navigate({ to: '.', search: (before) => ({ ...before, 'first-hour': undefined }), replace: true });
    onClose();
    document.querySelector<HTMLElement>('main h1')?.focus();
    if (!putAway) return;
    try {
      await put(true);
      announce(t('Put away. It is under Help.'));
    } catch {
      rememberOver(user.id, false);
      await refetchProgress();
      announce(t('It could not be put away. Try again.'));
    }
  };
}

async function showPutAway(): Promise<void> {
  await queryClient.cancelQueries(firstHourQuery);
  queryClient.setQueryData(firstHourQuery.queryKey, (before) => before && { ...before, putAway: true });
}

async function put(putAway: boolean): Promise<void> {
  await answerOf(client.PUT(FIRST_HOUR, { body: { putAway } }));
  await refetchProgress();
}
