// A throw-away certificate for peer.test that no authority signed, as half of the world's mail servers have one. The key
// is public by being here: nothing but the scripted peer uses it.

/** Key and certificate in PEM. */
export const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg08PpzRzWniv8INwv
BM7FVofvgbxKbUzgB8rfvEFe202hRANCAARuAhBM1cd+Fuw92Xn24MGXNkw1sr5r
Ar/WqksxItRypq4L5lKdi9+OsJy/WEYerkZhvuY3moVBuh8k+xVH7pqh
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUSPQ2kVRI+/xwVHKdurPVO+Toi2wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJcGVlci50ZXN0MCAXDTI2MTEyMTAzMDkxNVoYDzIxMjYxMDI4
MDMwOTE1WjAUMRIwEAYDVQQDDAlwZWVyLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARuAhBM1cd+Fuw92Xn24MGXNkw1sr5rAr/WqksxItRypq4L5lKdi9+O
sJy/WEYerkZhvuY3moVBuh8k+xVH7pqho1MwUTAdBgNVHQ4EFgQU5VpLfd0lOUO2
frsCv0OoGfTBviQwHwYDVR0jBBgwFoAU5VpLfd0lOUO2frsCv0OoGfTBviQwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA1P7hSgw4gx381ORMpqn6
4DLucWJ0spQWLVt0ZQ/ZtDECIBdf0Z+S3/LcuGgGSjFj6AxotjzokJxzi12YEz8c
XpRE
-----END CERTIFICATE-----
`,
};
