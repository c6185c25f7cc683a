import { useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Choices } from '../../../ui/choices.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { SETTINGS } from '../sign-on/providers.ts';

type Rule = Schemas['Settings']['secondFactor'];

const RULES: { value: Rule; label: string; help: string; effect: string }[] = [
  {
    value: 'optional',
    label: 'Everybody decides for themselves',
    help: 'Who has a second factor gives it at each login.',
    effect: 'Nobody is asked to add one any more. Those who have one keep it, and may remove it.',
  },
  {
    value: 'administrators',
    label: 'Administrators need one',
    help: 'Their next login asks those without one to add it. Others decide for themselves.',
    effect: 'Administrators without one add it at their next login. Sessions go on until then.',
  },
  {
    value: 'everyone',
    label: 'Everybody needs one',
    help: 'The next login asks everybody without one to add it. Nobody can remove their last one.',
    effect: 'Everybody without one adds it at their next login. Sessions go on until then.',
  },
];

/** Who needs a second factor. */
export function SecondFactorRule({ stored }: { stored: Rule }) {
  const [rule, setRule] = useState(stored);
  const [isAsking, setAsking] = useState(false);
  const { label, effect } = RULES.find(({ value }) => value === rule)!;
  return (
    <Section id="second-factor" title="Second factor">
      <Choices<Rule> legend="Who needs one" value={rule} choices={RULES} onChoose={setRule} />
      <p className="muted small">
        Logins with an identity provider are not asked here: the provider asks for its own. API keys have none.
      </p>
      <div className="row">
        <Button reason={rule === stored ? 'This is the rule already.' : undefined} onClick={() => setAsking(true)}>
          Save …
        </Button>
      </div>
      {isAsking && (
        <ActDialog
          title={`${label}?`}
          description={effect}
          act="Save"
          look="primary"
          onAct={() => answerOf(client.PATCH(SETTINGS, { body: { secondFactor: rule } }))}
          invalidate={() => invalidate((path) => path === SETTINGS)}
          done="The rule is saved"
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
