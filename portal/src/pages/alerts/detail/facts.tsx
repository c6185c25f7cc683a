import { useSession } from '../../../api/session.ts';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { Schedule, TargetList } from '../../../sending/shown.tsx';
import { createdFact, errorFacts, type Fact, Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Alert } from '../alerts.ts';
import { AskedInWords, useValueFormatter } from '../asked.tsx';
import { BUCKETS, bucketInWords, bucketOf, conditionInWords, durationInWords } from '../words.ts';

/** Says what is checked, when, and where messages go. */
export function Definition({ alert }: { alert: Alert }) {
  const { condition, every, timezone, cooldown, targets } = alert;
  const formatted = useValueFormatter(alert);
  const bucket = BUCKETS.find(({ value }) => value === bucketOf(alert));
  const facts: Fact[] = [
    ['Checks', <AskedInWords key="asked" alert={alert} isLinked />],
    ...(bucket === undefined ? [] : [['Period', bucket.label] as const]),
    ['Alerts if', conditionInWords(condition, formatted)],
    ['When', <Schedule key="schedule" every={every} timezone={timezone} />],
    ['Targets', <TargetList key="targets" targets={targets} />],
    ['Cool-down', cooldown === 0 ? 'None' : `${durationInWords(cooldown)} without another message`],
    createdFact(alert),
  ];
  return (
    <Section id="definition" title="Definition">
      <Facts label="Definition" facts={facts} />
    </Section>
  );
}

type Finding = Omit<NonNullable<Alert['lastCheck']>, 'at'>;

/** The names of buckets; that of a card is not known here. */
const BUCKET_NAMES = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' } as const;
const COMPARED = { threshold: 'Limit', change: 'Before', anomaly: 'Usual', no_data: 'Compared with' } as const;

/** The terms and values of what a check found. */
export function useFindingFacts(alert: Alert, { bucket, value, comparedWith, error, cases }: Finding): Fact[] {
  const formatted = useValueFormatter(alert);
  const { can } = useSession();
  const unit = bucketOf(alert);
  return [
    ...(bucket === null
      ? []
      : [[unit === undefined ? 'Period' : BUCKET_NAMES[unit], bucketInWords(bucket, unit)] as const]),
    ...(error === null || value !== null ? [['Value', <strong key="value">{formatted(value)}</strong>] as const] : []),
    ...(comparedWith === null ? [] : [[COMPARED[alert.condition.type], formatted(comparedWith)] as const]),
    ...(cases !== null && can('events:read') ? [['Events', <CasesLink key="events" cases={cases} />] as const] : []),
    ...errorFacts(error),
  ];
}

export function LastCheck({ alert }: { alert: Alert }) {
  const { lastCheck, nextCheckAt } = alert;
  const next: Fact = [
    'Next check',
    nextCheckAt === null ? 'None while it is switched off' : <Time key="next" iso={nextCheckAt} />,
  ];
  return (
    <Section id="last-check" title="Last check">
      {lastCheck === null ? (
        <>
          <p className="muted">It was not checked yet in its present form.</p>
          <Facts label="Last check" facts={[next]} />
        </>
      ) : (
        <Found alert={alert} finding={lastCheck} next={next} />
      )}
    </Section>
  );
}

function Found({ alert, finding, next }: { alert: Alert; finding: NonNullable<Alert['lastCheck']>; next: Fact }) {
  const facts = useFindingFacts(alert, finding);
  return <Facts label="Last check" facts={[...facts, ['Checked', <Time key="at" iso={finding.at} />], next]} />;
}
