import { Facts } from '../../ui/facts.tsx';
import { Folded } from '../../ui/folded.tsx';
import { Time } from '../../ui/time.tsx';
import { valueText } from '../json.ts';
import { LongText } from '../long-text.tsx';
import { TitledCode } from '../titled-code.tsx';
import { Value } from '../value.tsx';
import { errorText } from './state.ts';
import type { Step } from './tree.ts';

/** The input and the output of a step, and why it failed. */
export function StepDetails({ step }: { step: Step }) {
  const { id, name, provider, model, startedAt, error, input, output, usage, attributes, isFromMessages } = step;
  const reason = errorText(error);
  return (
    <div className="stack tight">
      {reason !== '' && (
        <div className="notice bad">
          <LongText text={reason} />
        </div>
      )}
      <Facts
        label={`Facts of ${name}`}
        facts={{
          Model: model != null && <bdi>{provider == null ? model : `${provider} ${model}`}</bdi>,
          Began: isTime(startedAt) ? (
            <Time iso={startedAt} />
          ) : (
            isFromMessages && 'A call in the messages, without times'
          ),
          Usage: usage != null && usageText(usage),
          Id: <code className="breaking">{id}</code>,
        }}
      />
      {input != null && <Folded summary="Input">{() => <Value value={input} label={`Input of ${name}`} />}</Folded>}
      {output != null && <Folded summary="Output">{() => <Value value={output} label={`Output of ${name}`} />}</Folded>}
      {attributes != null && Object.keys(attributes).length > 0 && (
        <Folded summary="Attributes">{() => <TitledCode text={valueText(attributes)} title="JSON" />}</Folded>
      )}
    </div>
  );
}

function isTime(iso: Step['startedAt']): iso is string {
  return !Number.isNaN(Date.parse(iso ?? ''));
}

/** "1,204 input tokens, 380 output tokens" */
function usageText(usage: unknown): string {
  const counts = Object.entries(usage as object).filter(([, count]) => typeof count === 'number');
  const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return counts.map(([name, count]) => `${count.toLocaleString()} ${words(name)}`).join(', ');
}
