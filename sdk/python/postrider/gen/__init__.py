"""Made by `npm run sdk` from the OpenAPI document. Do not edit."""
