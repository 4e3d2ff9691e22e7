// An OpenID provider as npm has it (oidc-provider), on a free port of this machine: it signs Ada in without asking and
// prints its address.
import http from "node:http";
import Provider from "oidc-provider";
const server = http.createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const who = (id) => ({ sub: id, email: `${id}@Example.com`, email_verified: true, name: "Ada", groups: ["analysts"] });
  const provider = new Provider(issuer, {
    clients: [{ client_id: "dossier", client_secret: "s", redirect_uris: [process.argv[2]], grant_types: ["authorization_code", "refresh_token"] }],
    scopes: ["openid", "offline_access", "email", "profile", "groups"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    pkce: { required: () => true, methods: ["S256"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, one) => `/interaction/${one.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => who(id) }),
    cookies: { keys: ["k"] },
  });
  const answer = provider.callback();
  server.on("request", async (req, res) => {
    if (!req.url.startsWith("/interaction/")) return answer(req, res);
    const { prompt, params } = await provider.interactionDetails(req, res);
    if (prompt.name === "login") return provider.interactionFinished(req, res, { login: { accountId: "ada" } });
    const grant = new provider.Grant({ accountId: "ada", clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(req, res, { consent }, { mergeWithLastSubmission: true });
  });
  console.log(issuer);
});
