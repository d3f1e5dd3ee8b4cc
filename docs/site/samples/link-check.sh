npm install https://address.podium.invalid/docs/sdk/podium-partner-0.3.14.tgz
npx --no podium-partner link-check --authorization-url https://test.shop.example/authorize \
  --base-url https://test.shop.example --client-id podium --client-secret-file secret.txt
