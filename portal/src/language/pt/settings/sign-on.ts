/** Single sign-on and security. */
export const signOn = {
  'Good|a check': 'Bom',
  'What the provider answers just now.': 'O que o provedor responde neste momento.',
  'Now log in with it in a private window: only that tries all of it.':
    'Agora entre com ele em uma janela anônima: só isso testa tudo.',
  'Nobody can log in with it any more. Users stay, and so do their sessions until they end.':
    'Ninguém mais pode entrar com ele. Os usuários permanecem, e as sessões deles também, até terminarem.',
  'The identity provider was deleted': 'O provedor de identidade foi excluído',
  '{role}: reads': '{role}: lê',
  '{role}: reads and records': '{role}: lê e registra',
  'None: they are refused': 'Nenhum: são recusados',
  'Add an identity provider': 'Adicionar um provedor de identidade',
  'The identity provider was added': 'O provedor de identidade foi adicionado',
  Product: 'Produto',
  'The identity provider was saved': 'O provedor de identidade foi salvo',
  'On the button: “Continue with {name}”.': 'No botão: “Continuar com {name}”.',
  'It cannot be changed. Register this redirect URI at the provider: {uri}':
    'Não pode ser alterado. Registre este URI de redirecionamento no provedor: {uri}',
  'Copy redirect URI': 'Copiar o URI de redirecionamento',
  Issuer: 'Emissor',
  'Client id': 'Id do cliente',
  'Client secret': 'Segredo do cliente',
  'Leave it empty to keep the stored one.': 'Deixe vazio para manter o armazenado.',
  'Allowed e-mail domains': 'Domínios de e-mail permitidos',
  'Separated by commas; empty: all. Existing users are found by a verified e-mail of these domains.':
    'Separados por vírgulas; vazio: todos. Usuários existentes são encontrados por um e-mail verificado destes domínios.',
  'Allowed directories': 'Diretórios permitidos',
  'Directory (tenant) IDs, separated by commas. Needed where the issuer is one of several directories.':
    'IDs de diretório (tenant), separados por vírgulas. Necessários quando o emissor é de vários diretórios.',
  'Claim with groups or roles': 'Claim com grupos ou papéis',
  'Empty: roles are given here, in the portal.': 'Vazio: os papéis são dados aqui, no portal.',
  'Roles by values of the claim': 'Papéis por valores da claim',
  'A line for each: value = ADMIN, USER, VIEWER or HUB_USER. Set at every login; of several the highest counts.':
    'Uma linha para cada: valor = ADMIN, USER, VIEWER ou HUB_USER. Definido a cada acesso; entre vários, vale o mais alto.',
  'Role of new users': 'Papel de novos usuários',
  'Role without a mapped value': 'Papel sem um valor mapeado',
  'The first login makes a user': 'O primeiro acesso cria um usuário',
  'The first login takes an existing user of the same e-mail, also where the provider does not call it verified':
    'O primeiro acesso assume um usuário existente com o mesmo e-mail, mesmo quando o provedor não o diz verificado',
  'People may log in with it': 'As pessoas podem entrar com ele',
  'It may let MCP clients act for people, without asking them (enterprise-managed authorization)':
    'Ele pode autorizar clientes MCP a agir pelas pessoas, sem perguntar a elas (enterprise-managed authorization)',
  'Only administrators see identity providers.': 'Só administradores veem os provedores de identidade.',
  'Add identity provider': 'Adicionar provedor de identidade',
  'With an identity provider people log in with an account that they have already: of Google, Microsoft Entra, Okta, Keycloak, authentik or any other provider of OpenID Connect.':
    'Com um provedor de identidade, as pessoas entram com uma conta que já têm: do Google, Microsoft Entra, Okta, Keycloak, authentik ou de qualquer outro provedor de OpenID Connect.',
  'No identity provider yet': 'Nenhum provedor de identidade ainda',
  'Register this server at your provider, then add it here. docs/sso.md has the steps for each product.':
    'Registre este servidor no seu provedor e depois adicione-o aqui. docs/sso.md traz os passos de cada produto.',
  'Whether people may log in with a password, too, is under {link}.':
    'Se as pessoas também podem entrar com senha, define-se em {link}.',
  Off: 'Desativado',
  'Addresses of {name}': 'Endereços de {name}',
  'Redirect URI': 'URI de redirecionamento',
  'Copy the redirect URI of {name}': 'Copiar o URI de redirecionamento de {name}',
  'Back-channel logout URI': 'URI de logout por back-channel',
  'Copy the back-channel logout URI of {name}': 'Copiar o URI de logout por back-channel de {name}',
  'Another OpenID Connect provider': 'Outro provedor de OpenID Connect',
  'The stored one': 'O armazenado',
  'A new one': 'Um novo',
  'Role of others': 'Papel dos demais',
  'It takes an existing user of the same e-mail': 'Ele assume um usuário existente com o mesmo e-mail',
  'It may let MCP clients act for people': 'Ele pode autorizar clientes MCP a agir pelas pessoas',
  'Only administrators see the security of the workspace.':
    'Só administradores veem a segurança do espaço de trabalho.',
  'Password logins are on': 'O acesso com senha está ativado',
  'Password logins are off': 'O acesso com senha está desativado',
  'Users may log in with a password, too. To switch that off, log in with an identity provider first: then it is known to work.':
    'Os usuários também podem entrar com senha. Para desativar isso, entre antes com um provedor de identidade: assim se sabe que ele funciona.',
  'Users log in only with an identity provider. If it fails, the operator makes a login link: agent-runtime users login-link EMAIL.':
    'Os usuários só entram com um provedor de identidade. Se ele falhar, o operador cria um link de acesso: agent-runtime users login-link EMAIL.',
  'Switch off …': 'Desativar …',
  'Switch on …': 'Ativar …',
  'Switch password logins off?': 'Desativar o acesso com senha?',
  'Switch password logins on?': 'Ativar o acesso com senha?',
  'Passwords of this tenant are refused from the next login on. Sessions go on.':
    'As senhas deste tenant são recusadas a partir do próximo acesso. As sessões continuam.',
  'Users with a password may log in with it again.': 'Usuários com senha podem entrar de novo com ela.',
  'Everybody decides for themselves': 'Cada um decide por si',
  'Who has a second factor gives it at each login.': 'Quem tem um segundo fator o informa a cada acesso.',
  'Nobody is asked to add one any more. Those who have one keep it, and may remove it.':
    'Ninguém mais precisa adicionar um. Quem tem um o mantém e pode removê-lo.',
  'Administrators need one': 'Administradores precisam de um',
  'Their next login asks those without one to add it. Others decide for themselves.':
    'O próximo acesso pede que quem não tem adicione um. Os demais decidem por si.',
  'Administrators without one add it at their next login. Sessions go on until then.':
    'Administradores sem um o adicionam no próximo acesso. Até lá, as sessões continuam.',
  'Everybody needs one': 'Todos precisam de um',
  'The next login asks everybody without one to add it. Nobody can remove their last one.':
    'O próximo acesso pede a todos os que não têm que adicionem um. Ninguém pode remover o último.',
  'Everybody without one adds it at their next login. Sessions go on until then.':
    'Quem não tem um o adiciona no próximo acesso. Até lá, as sessões continuam.',
  'Who needs one': 'Quem precisa de um',
  'Logins with an identity provider are not asked here: the provider asks for its own. API keys have none.':
    'Acessos com um provedor de identidade não passam por aqui: o provedor pede o dele. Chaves de API não têm nenhum.',
  'This is the rule already.': 'Esta já é a regra.',
  'Save …': 'Salvar …',
  'The rule is saved': 'A regra foi salva',
  'Sessions of everybody': 'Sessões de todos',
  'End all but mine …': 'Encerrar todas menos a minha …',
  'Search by user': 'Buscar por usuário',
  'Sessions, the newest first': 'Sessões, as mais recentes primeiro',
  'No session matches': 'Nenhuma sessão corresponde',
  'Show all sessions': 'Mostrar todas as sessões',
  'At least {count} sessions': 'Pelo menos {count} sessões',
  '{count} sessions': { one: '{count} sessão', other: '{count} sessões' },
  'Pages of sessions': 'Páginas de sessões',
  'End the session of {name} from {address}': 'Encerrar a sessão de {name} em {address}',
  'End all': 'Encerrar todas',
  'End all sessions of {name}': 'Encerrar todas as sessões de {name}',
  '{browser} from {address}, since {start}, last seen {seen}':
    '{browser}, de {address}, desde {start}, vista pela última vez em {seen}',
  'End the sessions of everybody but you?': 'Encerrar as sessões de todos menos as suas?',
  'All other people of the workspace are logged out at once, and can log in again.':
    'As sessões de todas as outras pessoas do espaço de trabalho terminam imediatamente, e elas podem entrar de novo.',
  'Super administrators stay logged in: only one of them can end their sessions.':
    'As sessões de superadministradores continuam: só um deles pode encerrá-las.',
  'API keys and connected applications go on.': 'Chaves de API e aplicativos conectados continuam.',
  'The sessions are ended': 'As sessões foram encerradas',
  'End this session of {name}?': 'Encerrar esta sessão de {name}?',
  'The user is logged out there at once, and can log in again. To prevent that, deactivate the user.':
    'A sessão do usuário termina imediatamente, e ele pode entrar de novo. Para impedir isso, desative o usuário.',
  'All sessions of the user are ended': 'Todas as sessões do usuário foram encerradas',
};
