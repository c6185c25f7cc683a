import { answerOf, client } from '../../api/client.ts';
import { queryClient, sessionQuery, useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { LANGUAGE_CHOICES, type Language } from '../../language/language.ts';
import { followSetting } from '../../language/setting.ts';
import { SelectField } from '../../ui/field.tsx';
import { useTask } from '../../ui/refusal.tsx';
import { ErrorNotice } from '../../ui/states.tsx';

const BROWSER = { value: 'browser', label: t('As the browser says') } as const;

/** The language of the user's pages. Another one loads the page again. */
export function LanguageSetting() {
  const { language } = useSession().user;
  const { error, run } = useTask();
  const choose = async (chosen: Language | 'browser') => {
    const setting = chosen === 'browser' ? null : chosen;
    await answerOf(client.PATCH('/api/v1/portal/me', { body: { language: setting } }));
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    followSetting(setting);
  };
  return (
    <>
      <SelectField<Language | 'browser'>
        label={t('Language of your pages')}
        value={language ?? 'browser'}
        options={[BROWSER, ...LANGUAGE_CHOICES]}
        onChoose={(chosen) => void run(() => choose(chosen))}
      />
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
