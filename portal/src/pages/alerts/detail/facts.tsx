import { useSession } from '../../../api/session.ts';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { Schedule, TargetList } from '../../../sending/shown.tsx';
import { createdFact, errorFact, Facts, type FactsByTerm } from '../../../ui/facts.tsx';
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
  const facts = {
    Checks: <AskedInWords alert={alert} isLinked />,
    Period: bucket?.label,
    'Alerts if': conditionInWords(condition, formatted),
    When: <Schedule every={every} timezone={timezone} />,
    Targets: <TargetList targets={targets} />,
    'Cool-down': cooldown === 0 ? 'None' : `${durationInWords(cooldown)} without another message`,
    Created: createdFact(alert),
  };
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
export function useFindingFacts(alert: Alert, { bucket, value, comparedWith, error, cases }: Finding): FactsByTerm {
  const formatted = useValueFormatter(alert);
  const { can } = useSession();
  const unit = bucketOf(alert);
  return {
    [unit === undefined ? 'Period' : BUCKET_NAMES[unit]]: bucket !== null && bucketInWords(bucket, unit),
    Value: (error === null || value !== null) && <strong>{formatted(value)}</strong>,
    [COMPARED[alert.condition.type]]: comparedWith !== null && formatted(comparedWith),
    Events: cases !== null && can('events:read') && <CasesLink cases={cases} />,
    Error: errorFact(error),
  };
}

export function LastCheck({ alert }: { alert: Alert }) {
  const { lastCheck, nextCheckAt } = alert;
  const next = {
    'Next check': nextCheckAt === null ? 'None while it is switched off' : <Time iso={nextCheckAt} />,
  };
  return (
    <Section id="last-check" title="Last check">
      {lastCheck === null ? (
        <>
          <p className="muted">It was not checked yet in its present form.</p>
          <Facts label="Last check" facts={next} />
        </>
      ) : (
        <Found alert={alert} finding={lastCheck} next={next} />
      )}
    </Section>
  );
}

interface FoundProps {
  alert: Alert;
  finding: NonNullable<Alert['lastCheck']>;
  next: FactsByTerm;
}

function Found({ alert, finding, next }: FoundProps) {
  const facts = useFindingFacts(alert, finding);
  return <Facts label="Last check" facts={{ ...facts, Checked: <Time iso={finding.at} />, ...next }} />;
}
