import { t } from '../../../language/index.ts';
import { lineOf } from '../../../transcript/text.ts';
import type { Execution } from '../executions.ts';
import { Assessments } from './assessments.tsx';
import { EventsBeside } from './events.tsx';
import { ExecutionFacts } from './facts.tsx';
import { ReviewSection } from './review.tsx';
import { failuresOf } from './state.ts';
import { Steps } from './steps.tsx';
import { Transcript } from './transcript.tsx';

/** The parts of the page, what went wrong first. */
export function ExecutionContent({ execution }: { execution: Execution }) {
  const { id, chat } = execution;
  return (
    <div className="stack">
      <Failures execution={execution} />
      {chat?.truncated && (
        <p className="notice">{t('Messages or output were too much to record: they are not here as a whole.')}</p>
      )}
      <div className="transcript">
        <div className="stack">
          <Transcript execution={execution} />
          <Steps execution={execution} />
        </div>
        <div className="stack">
          <ExecutionFacts execution={execution} />
          <ReviewSection execution={execution} />
          <Assessments executionId={id} />
          <EventsBeside execution={execution} />
        </div>
      </div>
    </div>
  );
}

const MAX_FAILURES = 5;
const MAX_REASON = 300;

/** Why the execution or its steps failed; nothing if none did. */
function Failures({ execution }: { execution: Execution }) {
  const failures = failuresOf(execution);
  if (failures.length === 0) return null;
  return (
    <div className="notice bad">
      <ul className="stack tight">
        {failures.slice(0, MAX_FAILURES).map(({ step, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps may have the same name
          <li key={index}>
            {step === null
              ? t('The execution failed')
              : t.nodes('The step “{name}” failed', { name: <bdi>{lineOf(step)}</bdi> })}
            {reason !== '' && (
              <>
                : <bdi>{lineOf(reason, MAX_REASON)}</bdi>
              </>
            )}
          </li>
        ))}
        {failures.length > MAX_FAILURES && (
          <li>{t.count(failures.length - MAX_FAILURES, '{count} more step failed', '{count} more steps failed')}</li>
        )}
      </ul>
    </div>
  );
}
