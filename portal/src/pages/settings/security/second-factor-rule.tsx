import { useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Choices } from '../../../ui/choices.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { SETTINGS } from '../sign-on/providers.ts';

type Rule = Schemas['Settings']['secondFactor'];

const RULES: { value: Rule; label: string; help: string; effect: string }[] = [
  {
    value: 'optional',
    label: t('Everybody decides for themselves'),
    help: t('Who has a second factor gives it at each login.'),
    effect: t('Nobody is asked to add one any more. Those who have one keep it, and may remove it.'),
  },
  {
    value: 'administrators',
    label: t('Administrators need one'),
    help: t('Their next login asks those without one to add it. Others decide for themselves.'),
    effect: t('Administrators without one add it at their next login. Sessions go on until then.'),
  },
  {
    value: 'everyone',
    label: t('Everybody needs one'),
    help: t('The next login asks everybody without one to add it. Nobody can remove their last one.'),
    effect: t('Everybody without one adds it at their next login. Sessions go on until then.'),
  },
];

/** Who needs a second factor. */
export function SecondFactorRule({ stored }: { stored: Rule }) {
  const [rule, setRule] = useState(stored);
  const [isAsking, setAsking] = useState(false);
  const { label, effect } = RULES.find(({ value }) => value === rule)!;
  return (
    <Section id="second-factor" title={t('Second factor')}>
      <Choices<Rule> legend={t('Who needs one')} value={rule} choices={RULES} onChoose={setRule} />
      <p className="muted small">
        {t('Logins with an identity provider are not asked here: the provider asks for its own. API keys have none.')}
      </p>
      <div className="row">
        <Button reason={rule === stored ? t('This is the rule already.') : undefined} onClick={() => setAsking(true)}>
          {t('Save …')}
        </Button>
      </div>
      {isAsking && (
        <ActDialog
          title={`${label}?`}
          description={effect}
          act={t('Save')}
          look="primary"
          onAct={() => answerOf(client.PATCH(SETTINGS, { body: { secondFactor: rule } }))}
          invalidate={() => invalidate((path) => path === SETTINGS)}
          done={t('The rule is saved')}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
