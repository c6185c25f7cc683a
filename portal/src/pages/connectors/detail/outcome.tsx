import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { valueText } from '../../../transcript/json.ts';
import { TitledCode } from '../../../transcript/titled-code.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { ENVIRONMENT_LABELS } from '../connectors.ts';
import { outcomeInWords } from './words.ts';

type Tried = Schemas['TriedCall'];

/** The request of a call, and its answer or why there is none. */
export function Outcome({ tried: { sent, headers, call } }: { tried: Tried }) {
  const { metadata } = call;
  return (
    <>
      <div className={call.success ? 'notice' : 'notice bad'} role={call.success ? 'status' : 'alert'}>
        <span>
          <strong>{outcomeInWords(call)}</strong> {!call.success && call.error}
        </span>
      </div>
      {metadata && <Facts label={t('Outcome')} facts={factsOf(metadata)} />}
      <div className="two-sides">
        <section className="stack tight" aria-labelledby="sent">
          <h2 id="sent">{metadata?.attempts === 0 ? t('What would be sent') : t('What was sent')}</h2>
          {sent === null ? <p className="muted">{t('Nothing: the input is invalid.')}</p> : <Sent sent={sent} />}
        </section>
        <section className="stack tight" aria-labelledby="received">
          <h2 id="received">{t('What came back')}</h2>
          {'fallback' in call && <Badge tone="warning">{t('The fallback response of the resource')}</Badge>}
          {call.data === undefined ? (
            <p className="muted">{t('Nothing.')}</p>
          ) : (
            <TitledCode title={t('Data')} text={typeof call.data === 'string' ? call.data : valueText(call.data)} />
          )}
          {headers !== null && (
            <Folded summary={t('Headers of the answer')}>
              {() => <TitledCode title={t('Headers')} text={linesOf(Object.entries(headers))} />}
            </Folded>
          )}
        </section>
      </div>
    </>
  );
}

function Sent({ sent: { method, url, headers, body } }: { sent: NonNullable<Tried['sent']> }) {
  return (
    <>
      <TitledCode
        title={t('Request')}
        text={`${method} ${url}\n${linesOf(headers.map((one) => [one.name, one.value]))}`}
      />
      {body !== null && <TitledCode title={t('Body')} text={valueTextOf(body)} />}
    </>
  );
}

function linesOf(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function valueTextOf(body: string): string {
  try {
    return valueText(JSON.parse(body));
  } catch {
    return body;
  }
}

function factsOf({ status, duration, attempts, environment, mocked, retrySafe }: Schemas['CallMetadata']) {
  return {
    [t('Status')]: status ?? t('none'),
    [t('Time|taken')]: t('{count} ms', { count: duration }),
    [t('Attempts')]: mocked ? t('none, a mock answered') : attempts,
    [t('Environment')]: environment && ENVIRONMENT_LABELS[environment],
    [t('May be repeated')]: retrySafe ? t('yes, it does nothing twice') : t('no, check first whether it was done'),
  };
}
