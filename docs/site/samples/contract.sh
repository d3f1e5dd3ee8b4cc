# The second request is answered 304 while the contract has not changed.
for _ in 1 2; do
  curl -i 'https://address.podium.invalid/cdp/v1/contract' -H "Authorization: Bearer $PODIUM_EVENT_KEY" \
    --etag-compare contract.etag --etag-save contract.etag
done
