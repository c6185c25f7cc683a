import { LOCALE, t } from '../../language/index.ts';
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
        label={t('Facts of {name}', { name })}
        facts={{
          [t('Model')]: model != null && <bdi>{provider == null ? model : `${provider} ${model}`}</bdi>,
          [t('Began')]: isTime(startedAt) ? (
            <Time iso={startedAt} />
          ) : (
            isFromMessages && t('A call in the messages, without times')
          ),
          [t('Usage')]: usage != null && usageText(usage),
          [t('Id')]: <code className="breaking">{id}</code>,
        }}
      />
      {input != null && (
        <Folded summary={t('Input')}>{() => <Value value={input} label={t('Input of {name}', { name })} />}</Folded>
      )}
      {output != null && (
        <Folded summary={t('Output')}>{() => <Value value={output} label={t('Output of {name}', { name })} />}</Folded>
      )}
      {attributes != null && Object.keys(attributes).length > 0 && (
        <Folded summary={t('Attributes')}>{() => <TitledCode text={valueText(attributes)} title="JSON" />}</Folded>
      )}
    </div>
  );
}

function isTime(iso: Step['startedAt']): iso is string {
  return !Number.isNaN(Date.parse(iso ?? ''));
}

const USAGE = new Map([
  ['inputTokens', (count: number) => t.count(count, '{count} input token', '{count} input tokens')],
  ['outputTokens', (count: number) => t.count(count, '{count} output token', '{count} output tokens')],
  ['totalTokens', (count: number) => t.count(count, '{count} total token', '{count} total tokens')],
  ['cachedInputTokens', (count: number) => t.count(count, '{count} cached input token', '{count} cached input tokens')],
]);

/** "1,204 input tokens, 380 output tokens"; names that senders made up as they are, in words. */
function usageText(usage: unknown): string {
  const counts = Object.entries(usage as object).filter(([, count]) => typeof count === 'number');
  const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const texts = counts.map(
    ([name, count]) => USAGE.get(name)?.(count) ?? `${count.toLocaleString(LOCALE)} ${words(name)}`,
  );
  return texts.join(', ');
}
