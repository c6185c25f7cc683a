/** Login, invitations, second factors, consent and the account of a user. */
export const login = {
  'Your tenant requires a second factor. Add one now; you need it at each login from now on.':
    'Seu tenant exige um segundo fator. Adicione um agora; a partir de agora, ele será pedido em cada login.',
  'Log in as somebody else': 'Entrar como outra pessoa',
  'Try again in {count} seconds.': {
    one: 'Tente de novo em {count} segundo.',
    other: 'Tente de novo em {count} segundos.',
  },
  'Log in': 'Entrar',
  'log in': 'entre',
  'Your session has ended.': 'Sua sessão terminou.',
  'Its name or id.': 'Nome ou id.',
  'Logging in …': 'Entrando …',
  'Log in with a passkey': 'Entrar com uma chave de acesso',
  'First time here? On its first start, the server printed the user {user} and its password, or wrote them to {file} in the data directory.':
    'É a primeira vez aqui? Ao iniciar pela primeira vez, o servidor mostrou o usuário {user} e a senha dele, ou os gravou em {file} no diretório de dados.',
  'This page works over https, or on the server’s own computer. At {address} your password would cross the network unencrypted, and browsers do not send the header that the server needs to accept a session.':
    'Esta página funciona por https ou no próprio computador do servidor. Em {address}, sua senha passaria pela rede sem criptografia, e os navegadores não enviam o cabeçalho de que o servidor precisa para aceitar uma sessão.',
  'What you can do': 'O que você pode fazer',
  'Give the server a certificate: {command}.': 'Dê um certificado ao servidor: {command}.',
  'Put a proxy that speaks https in front of it, Caddy or nginx for example.':
    'Coloque na frente dele um proxy com https, como Caddy ou nginx.',
  'Reach it through SSH: run {command} on this computer, then open {address}.':
    'Acesse por SSH: execute {command} neste computador e depois abra {address}.',
  'See {page}.': 'Veja {page}.',
  'You did not log in there. Try again, or choose another way.':
    'Você não entrou por lá. Tente de novo ou escolha outra forma.',
  'This login took too long, or began in another window. Try again.':
    'Este login demorou demais ou começou em outra janela. Tente de novo.',
  'The identity provider does not answer. Try again in a while.':
    'O provedor de identidade não responde. Tente de novo daqui a pouco.',
  'The identity provider is not set up right. Ask an administrator to test it on the page “Single sign-on”.':
    'O provedor de identidade não está configurado corretamente. Peça a um administrador que o teste na página “Login único”.',
  'The answer of the identity provider was refused. Try again; if it stays, ask an administrator.':
    'A resposta do provedor de identidade foi recusada. Tente de novo; se continuar, fale com um administrador.',
  'The clocks of this server and of the identity provider differ too much. Ask an administrator.':
    'Os relógios deste servidor e do provedor de identidade diferem demais. Fale com um administrador.',
  'Your account there may not log in here. Ask an administrator.':
    'Sua conta de lá não tem permissão para entrar aqui. Fale com um administrador.',
  'The identity provider tells no verified e-mail of you. Ask an administrator.':
    'O provedor de identidade não informa um e-mail verificado seu. Fale com um administrador.',
  'There is a user with your e-mail already, whom this identity provider may not log in. Ask an administrator.':
    'Já existe um usuário com o seu e-mail, que não pode entrar por este provedor de identidade. Fale com um administrador.',
  'There is no user for your account yet. Ask an administrator to make one.':
    'Ainda não há um usuário para a sua conta. Peça a um administrador que crie um.',
  'Your account has no role here. Ask an administrator.': 'Sua conta não tem papel aqui. Fale com um administrador.',
  'Your account belongs to no tenant here. Ask the operator.':
    'Sua conta não pertence a nenhum tenant aqui. Fale com o operador.',
  'Your user is deactivated. Ask an administrator.': 'Seu usuário está desativado. Fale com um administrador.',
  'This identity provider is not there any more, or is switched off. Choose another way.':
    'Este provedor de identidade não existe mais ou está desligado. Escolha outra forma.',
  'The login could not be finished just now. Try again.': 'Não foi possível concluir o login agora. Tente de novo.',
  'The login was refused. Try again.': 'O login foi recusado. Tente de novo.',
  'or with a password': 'ou com uma senha',
  'Continue with {name}': 'Continuar com {name}',
  Invitation: 'Convite',
  'You are invited': 'Você recebeu um convite',
  'Open the link from your invitation again': 'Abra de novo o link do seu convite',
  'The address alone is not enough. If you have joined already, {link}.':
    'Só o endereço não basta. Se você já aceitou o convite, {link}.',
  'This invitation works no more': 'Este convite não vale mais',
  'It was used or revoked, or is older than seven days. Ask the person who invited you for a new link.':
    'Ele foi usado ou revogado, ou tem mais de sete dias. Peça um novo link a quem convidou você.',
  'If you have used it, {link}.': 'Se você já o usou, {link}.',
  'This invitation was used or revoked in the meantime. If you have used it, {link}.':
    'Este convite foi usado ou revogado nesse meio-tempo. Se você já o usou, {link}.',
  'You are in the workspace': 'Você está no espaço de trabalho',
  '{person} ({email}) invites you to the workspace {workspace} as {role}.':
    '{person} ({email}) convida você para o espaço de trabalho {workspace} como {role}.',
  'The invitation is valid until {time}.': 'O convite vale até {time}.',
  'You are logged in as {name} in this browser. Joining logs you out there.':
    'Neste navegador, você está na conta de {name}. Ao aceitar o convite, você sai dela.',
  'Accept the invitation': 'Aceitar o convite',
  'Your name': 'Seu nome',
  'This workspace has no passwords: you log in with its identity provider, by the account of {email}.':
    'Este espaço de trabalho não usa senhas: você entra pelo provedor de identidade dele, com a conta de {email}.',
  'Join the workspace': 'Participar do espaço de trabalho',
  'Continue to the login': 'Continuar para o login',
  'Connect an application': 'Conectar uma aplicação',
  'This request is over': 'Este pedido terminou',
  'It was answered already, or has expired. Start again in the application.':
    'Ele já foi respondido ou expirou. Comece de novo na aplicação.',
  'Connect {application}?': 'Conectar {application}?',
  'Its answer goes to {address}.': 'A resposta vai para {address}.',
  'Go on only if you have just begun to connect it yourself.':
    'Continue somente se você mesmo acabou de começar a conectá-la.',
  'It would act for you, {email}, in the tenant {tenant}.': 'Ela agiria em seu nome, {email}, no tenant {tenant}.',
  'It could': 'Ela poderia',
  'For how long': 'Por quanto tempo',
  Allow: 'Permitir',
  Refuse: 'Recusar',
  'You can end its access at any time under Connect › Applications.':
    'Você pode encerrar o acesso a qualquer momento em Conectar › Aplicações.',
  'Use another account': 'Usar outra conta',
  Connected: 'Conectada',
  Refused: 'Recusada',
  'Go on in {application}. You can close this page.': 'Continue em {application}. Você já pode fechar esta página.',
  '1 year': '1 ano',
};
