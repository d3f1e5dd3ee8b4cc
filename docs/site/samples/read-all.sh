# Prints each page of a list. Following the Link header costs the same at any depth.
base='https://address.podium.invalid'
next='/data/v4/games?limit=2'
while [ -n "$next" ]; do
  # --retry waits the seconds of Retry-After at 429 and 503. With its ETag, a page that has not changed is 304 without a body.
  page="$PAGES/$(printf '%s' "$next" | cksum | cut -d ' ' -f 1)"
  touch "$page.etag"
  curl -sS --retry 5 "$base$next" -H "Authorization: Bearer $PODIUM_DATA_KEY" \
    --etag-compare "$page.etag" -D "$page.headers" -o "$page.new" -w '%{http_code}\n' > "$page.status"
  cat "$page.status"
  case $(cat "$page.status") in
    200)
      mv "$page.new" "$page.body"
      sed -n 's/^[Ee][Tt]ag: *\(.*[^[:space:]]\)[[:space:]]*$/\1/p' "$page.headers" | tail -n 1 > "$page.etag"
      ;;
    304) ;;
    *) exit 1 ;;
  esac
  cat "$page.body"
  # Also at 304: a page that has not changed may have got a next one.
  next=$(sed -n 's/^[Ll]ink:.*<\([^>]*\)>; *rel="next".*/\1/p' "$page.headers" | tail -n 1)
done
