import { t } from '../language/index.ts';
import { IconButton } from '../ui/button.tsx';
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts';

const NEXT: Record<ThemeChoice, { choice: ThemeChoice; label: string }> = {
  system: { choice: 'light', label: t('Theme: system. Change to light') },
  light: { choice: 'dark', label: t('Theme: light. Change to dark') },
  dark: { choice: 'system', label: t('Theme: dark. Change to system') },
};

export function ThemeSwitch() {
  const theme = useTheme();
  const { choice, label } = NEXT[theme];
  return <IconButton icon={theme === 'dark' ? 'moon' : 'sun'} label={label} onClick={() => chooseTheme(choice)} />;
}
