curl -i -G 'https://address.podium.invalid/cdp/v1/users/events/status' \
  -H "Authorization: Bearer $PODIUM_EVENT_KEY" \
  --data-urlencode 'id=deposit-93f1'
